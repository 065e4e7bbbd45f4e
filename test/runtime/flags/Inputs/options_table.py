# ===- options_table.py ---------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the tables of docs/options.md with what help=1 prints.

    options_table.py [--accept] options.md PROGRAM

The file has a table between the lines `<!-- options: ours -->` and `<!-- end -->`,
and one between `<!-- options: common -->` and `<!-- end -->`. With --accept,
writes them.
"""

import os
import re
import subprocess
import sys

# What sanitizer_common calls an option's value depends on the machine.
ELSEWHERE = {"external_symbolizer_path": "what is found"}
# Shown while help itself is on.
SHOWN = {"help": "false"}
FIRST_COMMON = "symbolize"


def options_of(program):
    """(name, default, meaning) of each option, as help=1 lists them."""
    environment = dict(os.environ, ATSAN_OPTIONS="help=1")
    text = subprocess.run(
        [program], stderr=subprocess.PIPE, text=True, env=environment, timeout=120
    ).stderr
    entry = re.compile(
        r"^\t(\w+)\n\t\t- (.*?) \(Current Value(?: Truncated)?: (.*?)\)$", re.M | re.S
    )
    for name, meaning, value in entry.findall(text):
        value = ELSEWHERE.get(name, SHOWN.get(name, value))
        yield name, value, " ".join(meaning.split())


def rows_of(options):
    rows = ["| option | default | meaning |", "|---|---|---|"]
    for name, value, meaning in options:
        value = "`%s`" % value if value else "(empty)"
        meaning = meaning.replace("|", "\\|").replace("<", "&lt;")
        rows.append("| `%s` | %s | %s |" % (name, value, meaning))
    return "\n".join(rows)


def with_table(document, which, rows):
    pattern = "(<!-- options: %s -->\n).*?(\n<!-- end -->)" % which
    if not re.search(pattern, document, re.S):
        sys.exit("no table between <!-- options: %s --> and <!-- end -->" % which)
    return re.sub(
        pattern, lambda found: found[1] + rows + found[2], document, flags=re.S
    )


def main():
    accept = sys.argv[1] == "--accept"
    path, program = sys.argv[1 + accept :]
    options = list(options_of(program))
    first_common = [name for name, _, _ in options].index(FIRST_COMMON)
    with open(path) as file:
        document = file.read()
    wanted = with_table(document, "ours", rows_of(options[:first_common]))
    wanted = with_table(wanted, "common", rows_of(options[first_common:]))
    if accept:
        with open(path, "w") as file:
            file.write(wanted)
    elif wanted != document:
        lines = set(document.splitlines())
        sys.exit(
            "the tables are not what help=1 says; options_table.py --accept "
            "writes them:\n"
            + "\n".join(line for line in wanted.splitlines() if line not in lines)
        )


main()
