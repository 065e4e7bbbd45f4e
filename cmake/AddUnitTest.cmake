#===- AddUnitTest.cmake ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# atsan_add_unittest(<name>Tests [SOURCES <file>...] [ALONE <file>...]
#                    [RUNTIME_SOURCES <file>...])
#
# Adds a googletest program. Its name ends in "Tests": lit finds it by that, and
# check-unit builds and runs it. SOURCES (by default all of the folder) are
# ordinary C++ (headers of sanitizer_common may be included). RUNTIME_SOURCES are
# files of runtime/, compiled as in the runtime; with them, sanitizer_common is
# linked.
# ALONE are those of SOURCES that give a name to one thing where others give it to
# another: they are in no batch.
# A test of other code adds target_link_libraries(<name>Tests PRIVATE ...).
#
#===------------------------------------------------------------------------===#

find_package(GTest CONFIG QUIET)
if(NOT GTest_FOUND)
  message(FATAL_ERROR "GoogleTest was not found. Install libgtest-dev, or name "
                      "it with -DGTest_DIR=<prefix>/lib/cmake/GTest.")
endif()

add_custom_target(atsan_unit_tests)

function(atsan_add_unittest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;RUNTIME_SOURCES" ${ARGN})
  if(NOT name MATCHES "Tests$" OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "atsan_add_unittest(${name}): the name must end in Tests, and "
      "\"${ARG_UNPARSED_ARGUMENTS}\" must not be given")
  endif()
  if(NOT ARG_SOURCES)
    atsan_glob(ARG_SOURCES "${CMAKE_CURRENT_SOURCE_DIR}" "*.cpp")
  endif()
  if(ARG_ALONE)
    set_source_files_properties(${ARG_ALONE} PROPERTIES
      SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test/unit")
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  target_link_libraries(${name} PRIVATE GTest::gtest_main)
  if(ARG_RUNTIME_SOURCES)
    add_library(${name}.runtime OBJECT EXCLUDE_FROM_ALL ${ARG_RUNTIME_SOURCES})
    set_target_properties(${name}.runtime PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(${name}.runtime PRIVATE RTSanitizerInterface)
    target_compile_options(${name}.runtime PRIVATE ${ATSAN_RUNTIME_CFLAGS} -fPIE
      -Wall -Wextra -Wno-unused-parameter)
    target_link_libraries(${name} PRIVATE
      $<TARGET_OBJECTS:${name}.runtime> RTSanitizerCommon.test)
  endif()
  add_dependencies(atsan_unit_tests ${name})
endfunction()
