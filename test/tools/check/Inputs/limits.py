#!/usr/bin/env python3
"""usage: limits.py ATSAN TRACE LIMIT ALGORITHM...: runs each algorithm under the limit, and says
whose process went beyond it: by more than 10 % and 10 MiB of memory, or by half a second of the
processor. On a busy machine the clock says nothing of what a process could do.

Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
See LICENSE for license information.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import os
import subprocess
import sys


def run(command):
    """Exit code, peak MiB, seconds of the processor, and what was said on stderr."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, used.ru_utime + used.ru_stime, said


def main():
    atsan, trace, limit, *algorithms = sys.argv[1:]
    option, _, value = limit.partition("=")
    gave_up = 0
    for algorithm in algorithms:
        code, mib, seconds, said = run([atsan, "check", "--algorithm=" + algorithm, limit, trace])
        if option == "--max-memory":
            beyond = mib > 1.1 * float(value.removesuffix("MiB")) + 10
        else:
            beyond = seconds > float(value) + 0.5
        gave_up += option in said
        if beyond or code not in (0, 2) or (code == 2) != (option in said):
            print(f"{algorithm} {limit}: exit code {code}, {mib:.0f} MiB, {seconds:.2f} s; {said}")
    print(f"{gave_up} of {len(algorithms)} gave up")


main()
