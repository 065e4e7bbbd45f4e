#===- FetchCompilerRT.cmake ------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Finds the compiler-rt sources that the runtime is built on, and has
# fetch-compiler-rt.sh fetch them when they are not there yet. They are those of
# LLVM 19, whatever LLVM compiles them: what the runtime uses of them has no stable
# interface. Sets
#
#   ATSAN_COMPILER_RT_SOURCE_DIR  as an option (or environment variable) of the
#                                 user: sources to use instead of fetched ones
#   COMPILER_RT_DIR               the sources that are used
#
#===------------------------------------------------------------------------===#

set(ATSAN_COMPILER_RT_MAJOR 19)
# LLVM 19's own version, or the newest one that can be fetched.
set(_version "${ATSAN_COMPILER_RT_MAJOR}")
if(ATSAN_LLVM_MAJOR EQUAL ATSAN_COMPILER_RT_MAJOR)
  set(_version "${LLVM_PACKAGE_VERSION}")
endif()
set(ATSAN_COMPILER_RT_SOURCE_DIR "$ENV{ATSAN_COMPILER_RT_SOURCE_DIR}" CACHE PATH
    "compiler-rt sources of LLVM ${ATSAN_COMPILER_RT_MAJOR}; empty: fetch them into .deps/")

if(ATSAN_COMPILER_RT_SOURCE_DIR)
  set(COMPILER_RT_DIR "${ATSAN_COMPILER_RT_SOURCE_DIR}")
  set(_origin "ATSAN_COMPILER_RT_SOURCE_DIR")
else()
  # All build directories share the fetched sources.
  set(COMPILER_RT_DIR
      "${CMAKE_CURRENT_SOURCE_DIR}/.deps/compiler-rt-${ATSAN_COMPILER_RT_MAJOR}")
  set(_origin "the fetched copy")
  execute_process(
    COMMAND sh "${CMAKE_CURRENT_LIST_DIR}/fetch-compiler-rt.sh"
            "${COMPILER_RT_DIR}" "${_version}"
    RESULT_VARIABLE _result)
  if(NOT _result EQUAL 0)
    message(FATAL_ERROR
      "The compiler-rt sources could not be fetched; the reason stands above. "
      "Mend it, or unpack LLVM ${_version} yourself and pass "
      "-DATSAN_COMPILER_RT_SOURCE_DIR=<its compiler-rt folder>.")
  endif()
endif()

foreach(_file lib/interception/interception.h
              lib/sanitizer_common/sanitizer_common.h
              lib/sanitizer_common/scripts/gen_dynamic_list.py)
  if(NOT EXISTS "${COMPILER_RT_DIR}/${_file}")
    message(FATAL_ERROR
      "${COMPILER_RT_DIR} (${_origin}) is not a compiler-rt source tree: it has "
      "no ${_file}. Give the folder named compiler-rt of LLVM "
      "${_version}, or delete it to have it fetched again.")
  endif()
endforeach()
message(STATUS "compiler-rt in ${COMPILER_RT_DIR}")
