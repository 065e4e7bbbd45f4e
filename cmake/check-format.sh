#!/bin/sh
#===- check-format.sh ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# usage: check-format.sh <source tree> [clang-format [option]...]
#
# Fails when a C or C++ source is not as clang-format would write it. With the
# option -i, makes it so.
#
#===------------------------------------------------------------------------===#

set -eu
cd "$1"
shift
[ $# != 0 ] || set -- clang-format-19
[ $# != 1 ] || set -- "$@" --dry-run --Werror
find . \( -path './.*' -o -path './build*' \) -prune -o -type f \
  \( -name '*.c' -o -name '*.cpp' -o -name '*.h' -o -name '*.hpp' \) -print0 |
  xargs -0 "$@"
