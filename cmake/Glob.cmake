#===- Glob.cmake -----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   atsan_glob(<variable> [RECURSE] <folder> <pattern>)
#
# Lists the files of a folder that match a pattern, as file(GLOB) does, which
# would take a bracket in the folder's own name for a part of the pattern.
#
#===------------------------------------------------------------------------===#

function(atsan_glob variable)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "RECURSE" "" "")
  list(GET ARG_UNPARSED_ARGUMENTS 0 folder)
  list(GET ARG_UNPARSED_ARGUMENTS 1 pattern)
  string(REGEX REPLACE "([[?*])" "[\\1]" folder "${folder}")
  if(ARG_RECURSE)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS "${folder}/${pattern}")
  else()
    file(GLOB found CONFIGURE_DEPENDS "${folder}/${pattern}")
  endif()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()
