#===- PluginDigest.cmake ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
#   cmake -DOUTPUT=<header> -DPASS=<file> -DFRONTEND=<file> -P PluginDigest.cmake
#
# Writes a header with a digest of the plugins; leaves it alone if nothing changed.
#
#===------------------------------------------------------------------------===#

file(SHA256 "${PASS}" of_pass)
file(SHA256 "${FRONTEND}" of_frontend)
string(SHA256 digest "${of_pass}${of_frontend}")
string(SUBSTRING "${digest}" 0 16 digest)
set(text "inline constexpr char PluginDigest[] = \"${digest}\";\n")
set(old "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
