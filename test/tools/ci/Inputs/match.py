# ===- match.py -----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Applies a problem matcher to stdin, as GitHub's runner does.

    match.py MATCHER.json

Patterns of a matcher match successive lines. Prints "owner: file=... line=..."
for each problem.
"""

import json
import re
import sys

FIELDS = ("file", "line", "column", "code", "message")


def match(patterns, lines):
    found = {}
    for pattern, line in zip(patterns, lines):
        matched = re.search(pattern["regexp"], line)
        if not matched:
            return None
        found.update({f: matched.group(pattern[f]) for f in FIELDS if f in pattern})
    return found


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        matchers = json.load(file)["problemMatcher"]
    lines = sys.stdin.read().splitlines()
    for matcher in matchers:
        patterns = matcher["pattern"]
        for at in range(len(lines) - len(patterns) + 1):
            found = match(patterns, lines[at : at + len(patterns)])
            if found:
                fields = " ".join("%s=%s" % (f, found[f]) for f in FIELDS)
                print("%s: %s" % (matcher["owner"], fields))


if __name__ == "__main__":
    main()
