# ===- golden.py ----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the whole text of a report with a golden file.

    golden.py [--accept] [--exit-code N] FILE.expected COMMAND...

Runs COMMAND, which must end with exit code N (default: 66), and compares what it
writes to stderr with the file, after replacing what differs from run to run:
the process id, addresses (the first one is [A1], the next new one [A2]...),
offsets in modules, build ids, fingerprints and directories. With --accept, writes the file.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys

ESCAPE = "\033"


class Addresses:
    """Gives each address a name, so that equal ones stay equal."""

    def __init__(self):
        self.names = {}

    def name(self, match):
        names = self.names
        return names.setdefault(match.group(0), "[A%d]" % (len(names) + 1))


def normalize(text, program):
    # The folder may have parentheses in its name.
    text = text.replace(os.path.dirname(os.path.realpath(program)) + os.sep, "")
    text = text.replace(ESCAPE, "<ESC>")
    text = re.sub(r"==\d+==", "==PID==", text)
    text = re.sub(r"\+0x[0-9a-f]+\)", "+OFFSET)", text)
    text = re.sub(r" \(BuildId: [0-9a-f]+\)", " (BuildId: ID)", text)
    text = re.sub(r"(?<=[ (])/[^:()\n]*/", "", text)
    # lit names the program after the test: FILE.cpp.tmp.
    text = re.sub(r"\([\w.-]+\.tmp\w*\+", "(MODULE+", text)
    text = re.sub(r"0x[0-9a-f]{6,}", Addresses().name, text)
    # Without a symbolizer it is made of offsets.
    text = re.sub(r"fingerprint:1-[0-9a-f]{16}$", "fingerprint:1-F", text, flags=re.M)
    # Whether a thread that has done its part has ended by now is a race; the
    # word has a test with a joined thread (start_join.cpp).
    text = text.replace(" (finished) was created", " was created")
    # Where a frame has no function, sanitizer_common's summary ends in a blank.
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def compare(actual, arguments):
    """With the golden file, which --accept writes."""
    if arguments.accept:
        with open(arguments.expected, "w", encoding="utf-8") as file:
            file.write(actual)
        return
    with open(arguments.expected, encoding="utf-8") as file:
        expected = file.read()
    if actual != expected:
        sys.stderr.writelines(
            difflib.unified_diff(
                expected.splitlines(keepends=True),
                actual.splitlines(keepends=True),
                arguments.expected,
                "the report",
            )
        )
        sys.exit("the report has changed (--accept?)")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--exit-code", type=int, default=66)
    parser.add_argument("expected")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    run = subprocess.run(
        arguments.command, stderr=subprocess.PIPE, timeout=120, check=False
    )
    output = run.stderr.decode(errors="replace")
    actual = normalize(output, arguments.command[0])
    if run.returncode != arguments.exit_code:
        sys.exit(
            "golden.py: exit code %d instead of %d; stderr:\n%s"
            % (run.returncode, arguments.exit_code, actual)
        )
    compare(actual, arguments)


if __name__ == "__main__":
    main()
