#!/bin/sh
#===- check-tidy.sh --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# usage: check-tidy.sh <build tree> [run-clang-tidy]
#
# Fails when clang-tidy objects to a source of the product. What it may object to
# stands in .clang-tidy. Of LLVM 22, which passes over the system's headers, it
# takes less than half the time that it takes of LLVM 19.
#
#===------------------------------------------------------------------------===#

set -eu
# As a regular expression for the paths in the build tree's record: any character
# of the source tree's path may mean something in one.
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" |
  sed 's/[^A-Za-z0-9/_-]/[&]/g')
tidy=run-clang-tidy-19
! command -v run-clang-tidy-22 >/dev/null || tidy=run-clang-tidy-22
"${2-$tidy}" -quiet -p "$1" "^$source/(lib|pass|runtime|tools)/"
