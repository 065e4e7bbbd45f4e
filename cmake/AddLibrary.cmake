#===- AddLibrary.cmake -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   atsan_add_library(<name> [<file>...])
#
# Adds a library of the tools, of these files, or of all sources of the folder.
#
#===------------------------------------------------------------------------===#

function(atsan_add_library name)
  if(ARGN)
    set(sources ${ARGN})
  else()
    atsan_glob(sources "${CMAKE_CURRENT_SOURCE_DIR}" "*.cpp")
  endif()
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES
    ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  target_compile_options(${name} PRIVATE -Wall -Wextra)
endfunction()
