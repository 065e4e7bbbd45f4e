#===- AtomicitySanitizerTests.cmake -----------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   atsan_test_reports(<test>...
#                      [DIRECTORY <folder>]   default: atsan-reports in the current
#                                             binary folder
#                      [BASELINE <file>]      findings in it do not fail the run
#                      [SARIF <file>]
#                      [ALLOW_EMPTY]          it is no failure if nothing was
#                                             checked, as in a build without
#                                             the sanitizer
#                      [OPTIONS <key>=<value>...])
#
# The named tests, made by add_test, write their reports as JSON into the folder.
# More tests join them: `atsan-report-clear` and `-folder` empty it before, and
# `atsan-report` sums all reports of all processes up afterwards, and fails if
# there is a finding that the baseline does not have, or nothing was checked. OPTIONS are added to
# ATSAN_OPTIONS of each test.
#
#===------------------------------------------------------------------------===#

function(atsan_test_reports)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "ALLOW_EMPTY" "DIRECTORY;BASELINE;SARIF" "OPTIONS")
  set(tests ${ARG_UNPARSED_ARGUMENTS})
  if(NOT tests)
    message(FATAL_ERROR "atsan_test_reports: no test is named")
  endif()
  foreach(test IN LISTS tests)
    if(NOT TEST ${test})
      message(FATAL_ERROR "atsan_test_reports: there is no test `${test}` (in this "
        "folder, made by add_test before the call)")
    endif()
  endforeach()
  if(NOT ARG_DIRECTORY)
    set(ARG_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/atsan-reports")
  endif()
  if(ARG_DIRECTORY MATCHES "['\n]")
    message(FATAL_ERROR "atsan_test_reports: ATSAN_OPTIONS cannot say the folder "
      "${ARG_DIRECTORY}; choose one without quotes by DIRECTORY")
  endif()

  foreach(test IN LISTS tests)
    string(MAKE_C_IDENTIFIER "${test}" name)
    set(options "report_format=json" "log_path='${ARG_DIRECTORY}/${name}'"
        ${ARG_OPTIONS})
    list(TRANSFORM options PREPEND "ATSAN_OPTIONS=path_list_append:")
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION ${options})
    set_property(TEST ${test} APPEND PROPERTY FIXTURES_REQUIRED atsan-report)
  endforeach()

  set(report "${AtomicitySanitizer_TOOL}" report)
  if(ARG_BASELINE)
    list(APPEND report "--baseline=${ARG_BASELINE}")
  endif()
  if(ARG_ALLOW_EMPTY)
    list(APPEND report --allow-empty)
  endif()
  if(ARG_SARIF)
    list(APPEND report "--sarif=${ARG_SARIF}")
  endif()
  add_test(NAME atsan-report-clear
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${ARG_DIRECTORY}")
  add_test(NAME atsan-report-folder
    COMMAND ${CMAKE_COMMAND} -E make_directory "${ARG_DIRECTORY}")
  add_test(NAME atsan-report COMMAND ${report} "${ARG_DIRECTORY}")
  set_tests_properties(atsan-report-clear PROPERTIES FIXTURES_SETUP atsan-empty)
  set_tests_properties(atsan-report-folder PROPERTIES
    FIXTURES_REQUIRED atsan-empty FIXTURES_SETUP atsan-report)
  set_tests_properties(atsan-report PROPERTIES FIXTURES_CLEANUP atsan-report)
endfunction()
