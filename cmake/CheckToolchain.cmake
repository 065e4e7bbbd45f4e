#===- CheckToolchain.cmake -------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# Finds the LLVM of major version ATSAN_LLVM_MAJOR (cmake/ChooseLLVM.cmake) and its
# tools and stops with one clear message when the system or the toolchain is not one
# that AtomicitySanitizer supports. Sets
#
#   ATSAN_CLANG, ATSAN_CLANGXX  the compilers behind the drivers (cache)
#   ATSAN_PYTHON                the Python that runs lit and the scripts (cache)
#   LLVM_*, CLANG_*             as set by LLVMConfig.cmake and ClangConfig.cmake
#   atsan_llvm                  INTERFACE library: LLVM's headers and settings for
#                               the plugin; link target LLVM too for a program
#
#===------------------------------------------------------------------------===#

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR
   NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  message(FATAL_ERROR
    "AtomicitySanitizer supports Linux on x86-64 only; this is "
    "${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}.")
endif()

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR
   NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^${ATSAN_LLVM_MAJOR}\\.")
  message(FATAL_ERROR
    "AtomicitySanitizer is built with clang ${ATSAN_LLVM_MAJOR}, but the C++ "
    "compiler is ${CMAKE_CXX_COMPILER} (${CMAKE_CXX_COMPILER_ID} "
    "${CMAKE_CXX_COMPILER_VERSION}).\n"
    "Use a fresh build directory and pass "
    "-DCMAKE_C_COMPILER=clang-${ATSAN_LLVM_MAJOR} "
    "-DCMAKE_CXX_COMPILER=clang++-${ATSAN_LLVM_MAJOR}, or, for another LLVM, "
    "-DATSAN_LLVM_MAJOR= and its major version.")
endif()

# QUIET: the messages below are clearer than those of find_package. What LLVM's
# files look for in turn (libedit, curl, ...) would be no concern of ours either.
set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
find_package(LLVM ${ATSAN_LLVM_MAJOR}.1 CONFIG QUIET
             HINTS "/usr/lib/llvm-${ATSAN_LLVM_MAJOR}")
unset(CMAKE_MESSAGE_LOG_LEVEL)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR
    "LLVM ${ATSAN_LLVM_MAJOR} was not found. Install llvm-${ATSAN_LLVM_MAJOR}-dev, "
    "or name another installation with -DLLVM_DIR=<prefix>/lib/cmake/llvm.")
endif()
# Of this LLVM, not of another one that is installed too.
set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
find_package(Clang CONFIG QUIET NO_DEFAULT_PATH
             PATHS "${LLVM_INSTALL_PREFIX}/lib/cmake/clang" "${Clang_DIR}")
unset(CMAKE_MESSAGE_LOG_LEVEL)
if(NOT Clang_FOUND)
  message(FATAL_ERROR
    "The development files of Clang ${ATSAN_LLVM_MAJOR} were not found in "
    "${LLVM_INSTALL_PREFIX}. Install libclang-${ATSAN_LLVM_MAJOR}-dev, or name them with "
    "-DClang_DIR=<prefix>/lib/cmake/clang.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

# Where libc++ is installed for development, its cxxabi.h stands beside LLVM's
# headers, and would be taken instead of libstdc++'s: only folders are linked.
set(_include_dirs ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
list(REMOVE_DUPLICATES _include_dirs)
set(_beside "${LLVM_INSTALL_PREFIX}/include")
if(EXISTS "${_beside}/cxxabi.h")
  list(REMOVE_ITEM _include_dirs "${_beside}")
  set(_linked "${CMAKE_BINARY_DIR}/llvm-headers")
  file(MAKE_DIRECTORY "${_linked}")
  foreach(_folder clang clang-c llvm llvm-c)
    file(CREATE_LINK "${_beside}/${_folder}" "${_linked}/${_folder}" SYMBOLIC)
  endforeach()
  list(APPEND _include_dirs "${_linked}")
endif()

add_library(atsan_llvm INTERFACE)
target_include_directories(atsan_llvm SYSTEM INTERFACE ${_include_dirs})
separate_arguments(_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(atsan_llvm INTERFACE ${_definitions})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(atsan_llvm INTERFACE -fno-rtti)
endif()
if(NOT LLVM_ENABLE_EH)
  target_compile_options(atsan_llvm INTERFACE -fno-exceptions)
endif()

# atsan_find_tool(<variable> <name>): a tool of this LLVM, not of another one.
function(atsan_find_tool variable name)
  find_program(${variable} NAMES ${name} ${name}-${ATSAN_LLVM_MAJOR}
               PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
  find_program(${variable} NAMES ${name}-${ATSAN_LLVM_MAJOR})
  if(NOT ${variable})
    message(FATAL_ERROR
      "${name} of LLVM ${ATSAN_LLVM_MAJOR} was found neither in "
      "${LLVM_TOOLS_BINARY_DIR} nor as ${name}-${ATSAN_LLVM_MAJOR} on PATH. "
      "Name it with -D${variable}=<path>.")
  endif()
endfunction()

atsan_find_tool(ATSAN_CLANG clang)
atsan_find_tool(ATSAN_CLANGXX clang++)
atsan_find_tool(ATSAN_LLVM_NM llvm-nm)

# The distribution's Python first: LLVM's Python parts are packaged for it, and
# version managers put wrappers on PATH that depend on the current directory.
find_program(ATSAN_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(ATSAN_PYTHON NAMES python3)
if(NOT ATSAN_PYTHON)
  message(FATAL_ERROR
    "python3 was not found. Install it, or name it with -DATSAN_PYTHON=<path>.")
endif()
