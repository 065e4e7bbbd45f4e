# ===- same_verdict.py ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the verdict of runs with that of `atsan check` on their traces.

    same_verdict.py COMPILER ATSAN PREFIX SOURCE...

PREFIX is the begin of the names of files that are made.
"""

import os
import re
import shlex
import subprocess
import sys

compiler, atsan, prefix = shlex.split(sys.argv[1]), sys.argv[2], sys.argv[3]


def output(command, **environment):
    done = subprocess.run(
        command,
        env=dict(os.environ, **environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        errors="replace",
        timeout=300,
    )
    return done.returncode, done.stdout


def in_process(text):
    """Where the cycle closed, or None."""
    found = re.search(
        r"^SUMMARY: AtomicitySanitizer: atomicity-violation (\S.*:\d+:\d+) in ",
        text,
        re.M,
    )
    return found and found[1]


def offline(code, text):
    """The places in the closing event's stack, of which a summary has one."""
    if code == 0 and "Verdict: nothing found" in text:
        return [None]
    if code == 2 and "nothing was checked: the trace has no region" in text:
        return [None]
    event = re.search(r"^Verdict: violation at event (\d+)", text, re.M)
    if code != 66 or not event:
        sys.exit("atsan check ended with %d:\n%s" % (code, text))
    frames = re.search(r"Later: event %s, .*\n((?: +#.*\n)+)" % event[1], text)[1]
    return re.findall(r"(/\S.*:\d+:\d+)", frames)


agree = violations = 0
for source in sys.argv[4:]:
    for twin in [[], ["-DTWIN"]]:
        program = prefix + ".program"
        subprocess.run([*compiler, *twin, source, "-o", program], check=True)
        for splits in ["all", "none"]:
            trace = prefix + ".trace"
            options = "color=never:region_splits=%s:trace='%s'" % (splits, trace)
            _, said = output([program], ATSAN_OPTIONS=options)
            check = [atsan, "check", "--region-splits=" + splits, trace]
            expected, found = in_process(said), offline(*output(check))
            if expected not in found:
                sys.exit(
                    "%s %s region_splits=%s: the run closed its cycle at %s, its "
                    "trace at %s" % (source, twin, splits, expected, found)
                )
            agree += 1
            violations += expected is not None
print("%d runs agree, %d of them with a violation" % (agree, violations))
