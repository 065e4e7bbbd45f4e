# ===- check-comments.py ---------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# usage: check-comments.py <source tree> [<folder>...]
#
# Fails when a comment begins with words that lean on what stands before it, such
# as "Of all entries." or "The same for writes.": a comment is understood by
# somebody who reads only it and the line below.
#
# ===----------------------------------------------------------------------===#

import os
import re
import sys

FOLDERS = ["frontend", "include", "lib", "pass", "runtime", "tools"]
SOURCES = (".h", ".hpp", ".cpp", ".inc", ".def")
WHOLE_LINE = re.compile(r"\s*//[/<]*\s*(.*)")
BEHIND_CODE = re.compile(r"[^\s/].*[;,{})>]\s*//[/<]*\s*(.*)")
LEANING = re.compile(r"(Of|The same|As|Who|That of|Those|Else|So|Like|Which)\b")


def leaning_comments(path):
    """The numbers and texts of comments that lean on others."""
    before = False  # The line before was a comment of its own.
    with open(path) as file:
        for number, line in enumerate(file, 1):
            whole = WHOLE_LINE.match(line)
            text = whole[1] if whole and not before else None
            if not whole and (behind := BEHIND_CODE.search(line)):
                text = behind[1]
            if text and LEANING.match(text):
                yield number, text
            before = bool(whole)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: check-comments.py <source tree> [<folder>...]")
    os.chdir(sys.argv[1])
    files, wrong = 0, 0
    for top in sys.argv[2:] or FOLDERS:
        for folder, _, names in sorted(os.walk(top)):
            for name in sorted(x for x in names if x.endswith(SOURCES)):
                files += 1
                for number, text in leaning_comments(f"{folder}/{name}"):
                    wrong += 1
                    print(f"{folder}/{name}:{number}: begins as if it went on: {text}")
    print(f"{files} files, {wrong} comments that lean on others")
    sys.exit(1 if wrong or not files else 0)


main()
