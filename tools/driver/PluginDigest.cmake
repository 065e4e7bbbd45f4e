#===- PluginDigest.cmake ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   cmake -DOUTPUT=<header> -DPLUGINS=<file>,... -P PluginDigest.cmake
#
# Writes a header with a digest of the plugins; leaves it alone if nothing changed.
#
#===------------------------------------------------------------------------===#

string(REPLACE "," ";" plugins "${PLUGINS}")
set(all "")
foreach(plugin IN LISTS plugins)
  file(SHA256 "${plugin}" one)
  string(APPEND all "${one}")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING "${digest}" 0 16 digest)
set(text "inline constexpr char PluginDigest[] = \"${digest}\";\n")
set(old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
