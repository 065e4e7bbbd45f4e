# ===- use_ready_line.py --------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Suppresses a report by the line that it proposes.

    use_ready_line.py FILE NAME COMMAND...

COMMAND must end with exit code 66 and propose a line; with this line in the file
FILE.NAME as suppressions, it must end with 0 and report nothing.
"""

import os
import subprocess
import sys

PROPOSAL = "ATSAN_OPTIONS=suppressions=FILE:\n"


def run(command, options):
    environment = dict(os.environ, ATSAN_OPTIONS=options)
    return subprocess.run(
        command, stderr=subprocess.PIPE, text=True, env=environment, timeout=120
    )


def main():
    path, command = ".".join(sys.argv[1:3]), sys.argv[3:]
    report = run(command, "")
    if report.returncode != 66 or PROPOSAL not in report.stderr:
        sys.exit("no report with a proposal:\n" + report.stderr)
    proposed = report.stderr.split(PROPOSAL)[1].split("\n")[0].strip()
    with open(path, "w") as file:
        file.write(proposed + "\n")
    options = "suppressions='%s':print_suppressions=0" % path
    silent = run(command, options)
    if silent.returncode or "AtomicitySanitizer: atomicity" in silent.stderr:
        sys.exit("not suppressed:\n" + silent.stderr)


main()
