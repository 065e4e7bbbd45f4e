#===- ChooseLLVM.cmake -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Which LLVM a build is for. Comes before project(), which looks for a compiler:
# without one by name, the clang of that LLVM is taken. Sets
#
#   ATSAN_LLVM_MAJOR   as an option of the user: its major version (cache)
#
#===------------------------------------------------------------------------===#

set(_atsan_llvm_majors 19 20 21 22)
set(ATSAN_LLVM_MAJOR 19 CACHE STRING
    "Major version of the LLVM to build with and for: 19, 20, 21 or 22")
set_property(CACHE ATSAN_LLVM_MAJOR PROPERTY STRINGS ${_atsan_llvm_majors})

if(NOT ATSAN_LLVM_MAJOR IN_LIST _atsan_llvm_majors)
  message(FATAL_ERROR
    "ATSAN_LLVM_MAJOR is '${ATSAN_LLVM_MAJOR}', but AtomicitySanitizer works with "
    "LLVM 19, 20, 21 or 22. Pass -DATSAN_LLVM_MAJOR=19 (or another one of these) in a "
    "fresh build directory, with that LLVM's packages installed (cmake/setup.sh "
    "names them).")
endif()

# _atsan_choose_compiler(<CMake's variable> <environment variable> <name>)
macro(_atsan_choose_compiler variable environment name)
  if(NOT ${variable} AND "$ENV{${environment}}" STREQUAL "")
    find_program(_atsan_compiler NAMES "${name}-${ATSAN_LLVM_MAJOR}" NO_CACHE)
    if(NOT _atsan_compiler)
      message(FATAL_ERROR
        "${name}-${ATSAN_LLVM_MAJOR} was not found. Install the package "
        "clang-${ATSAN_LLVM_MAJOR}, or name clang ${ATSAN_LLVM_MAJOR} with -D${variable}=<path>, "
        "or choose another LLVM with -DATSAN_LLVM_MAJOR= (19, 20, 21 or 22).")
    endif()
    set(${variable} "${_atsan_compiler}")
    unset(_atsan_compiler)
  endif()
endmacro()

_atsan_choose_compiler(CMAKE_C_COMPILER CC clang)
_atsan_choose_compiler(CMAKE_CXX_COMPILER CXX clang++)
