# ===- tracing.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Recording a run, and having it judged by `atsan check`, for the scripts that repeat
# the papers' tables.
#
# ===----------------------------------------------------------------------===#

import json
import os
import subprocess

from measure import environment, fail


def atsan(bench):
    return os.path.join(bench.build, "bin", "atsan")


def record(bench, program, arguments, trace):
    """One run, violating or not; returns what measure.Bench.run does."""
    flags = 'trace="%s":halt_on_error=0:exitcode=0:max_reports=1' % trace
    return bench.run(program, arguments, {"ATSAN_OPTIONS": flags})


def check(bench, trace, algorithm, options=(), seconds=0, mib=0):
    """The verdict as JSON (schema/atsan-check-2.schema.json), with statistics. All
    findings. A check that a limit has stopped says so in "gave_up". `algorithm`: one of
    `atsan check`, or predict."""
    command = [atsan(bench), "check", trace, "--algorithm=" + algorithm, "--json"]
    if algorithm == "predict":
        command = [atsan(bench), "predict", trace, "--format=json"]
    command += ["--all", "--stats", *options]
    command += ["--max-seconds=%d" % seconds] if seconds else []
    command += ["--max-memory=%dMiB" % mib] if mib else []
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment(None)
    )
    try:
        judged = json.loads(done.stdout)
    except ValueError:
        fail("%s\n%s" % (" ".join(command), done.stderr))
    if "damage" in judged:
        fail(judged["damage"])
    return judged


def statistics(bench, trace):
    """What `atsan trace stats` says: events, variables, threads..."""
    return json.loads(bench.must([atsan(bench), "trace", "stats", "--json", trace]))


def seconds(judged):
    """CPU time of reading the trace and of the analysis."""
    return judged["statistics"]["microseconds of CPU time"] / 1e6
