# ===- check_cache_line.py -------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Reads what `nm -n` prints. Fails unless the variables that are named have a cache
# line each.
#
#   usage: check_cache_line.py <variable>... < <list of symbols>
#
# ===----------------------------------------------------------------------===#

import sys

LINE = 64

symbols = [line.split() for line in sys.stdin]
symbols = [(int(s[0], 16), s[2]) for s in symbols if len(s) == 3]
for name in sys.argv[1:]:
    places = [address for address, symbol in symbols if symbol == name]
    if len(places) != 1:
        sys.exit("%s: %d symbols of this name" % (name, len(places)))
    begin = places[0] // LINE * LINE
    others = [s for a, s in symbols if begin <= a < begin + LINE and s != name]
    if others:
        sys.exit("%s shares its cache line with %s" % (name, ", ".join(others)))
