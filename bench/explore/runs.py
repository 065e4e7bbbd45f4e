# ===- runs.py ------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Looks for the bug of a kernel once: by a strategy, or by running it again and
# again. Knows no kernel.
#
# ===----------------------------------------------------------------------===#

import json
import os
import re
import struct
import subprocess
import tempfile
import time
from collections import namedtuple

from measure import environment, fail

# `found`: in which schedule or run, or None; `count`: how many there were; `kind`:
# what it was, or "" ; `replayed`: "20 of 20", where the process did not end by it.
Outcome = namedtuple("Outcome", "found count kind seconds replayed")

FOUND = re.compile(r"explore: a finding in schedule (\d+)(?: \(replayed (\d+ of \d+))?")
NOTHING = re.compile(r"nothing found in (\d+)")
KINDS = [
    ("region", "atomicity violation"),
    ("deadlock", "deadlock"),
    ("assertion", "Assertion"),
]


def kind_of(text):
    return next((kind for kind, words in KINDS if words in text), "crash")


def _start(folder, command, limit):
    """Runs it in the folder; returns (text, wall seconds), or (None, the same) if it
    was killed after `limit` seconds."""
    begin = time.monotonic()
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment({"ATSAN_OPTIONS": "symbolize=0"}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return None, time.monotonic() - begin
    return done.stdout.decode(errors="replace"), time.monotonic() - begin


def explore(program, strategy, seed, schedules, seconds):
    """One exploration in process, of at most so many schedules and seconds."""
    command = [program, "explore", strategy, str(seed), str(schedules), str(seconds)]
    with tempfile.TemporaryDirectory() as folder:
        text, took = _start(folder, command, seconds + 60)
    if text is None:
        fail("%s did not end" % " ".join(command))
    found = FOUND.search(text)
    if found:
        number = int(found[1])
        return Outcome(number, number, kind_of(text), took, found[2] or "")
    nothing = NOTHING.search(text)
    if not nothing:
        fail("%s\n%s" % (" ".join(command), text))
    return Outcome(None, int(nothing[1]), "", took, "")


def predict(atsan, program, schedules, seconds):
    """One exploration by `atsan explore --strategy=predict`, each schedule in a process
    of its own. The first schedule is the recorded one, then come those predicted; what
    is found by the search behind them does not count."""
    words = ["--runs=%d" % schedules, "--seconds=%g" % seconds]
    command = [atsan, "explore", "--strategy=predict", *words, "--json=json"]
    with tempfile.TemporaryDirectory() as folder:
        text, took = _start(folder, [*command, "--", program], seconds + 120)
        path = os.path.join(folder, "json")
        if text is None or not os.path.exists(path):
            fail("%s\n%s" % (" ".join(command), text or "did not end"))
        with open(path) as file:
            lines = [json.loads(line) for line in file]
    count = sum(line["runs"] for line in lines if line["type"] == "exploration")
    findings = [line for line in lines if line["type"] == "finding"]
    forced = 1 + sum(
        line["forced"] for line in lines if line["type"] == "exploration"
    )
    findings = [line for line in findings if line["run"] <= forced]
    if not findings:
        return Outcome(None, count, "", took, "")
    first = min(findings, key=lambda line: line["run"])
    replayed = "%d of %d" % (first["replayed"], first["replays"])
    kind = kind_of_finding(first)
    if kind == "region" and not _is_decided(atsan, program, first["schedule"]):
        fail("%s: the trace of a confirmed run has no violation" % program)
    return Outcome(first["run"], count, kind, took, replayed)


def _is_decided(atsan, program, schedule):
    """Whether the conflict graph, which shares no code with the checker in process, also
    finds a violation in the trace of a run by this schedule."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "schedule"), "w") as file:
            file.write(schedule)
        subprocess.run(
            [program],
            cwd=folder,
            env=environment({"ATSAN_OPTIONS": "schedule=schedule:trace=trace"}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        check = [atsan, "check", "--algorithm=conflict-graph", "trace"]
        return subprocess.run(check, cwd=folder, stdout=subprocess.DEVNULL).returncode == 66


def kind_of_finding(finding):
    kind = finding["kind"]
    if kind == "crash" and "abort" in finding["headline"].lower():
        return "assertion"
    return {"atomicity-violation": "region"}.get(kind, kind)


def repeat(program, seconds):
    """Runs the kernel as often as there is time. Without control, a deadlock is a run
    that does not end."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "repeat", str(seconds), "count"]
        text, took = _start(folder, command, seconds + 3)
        with open(os.path.join(folder, "count"), "rb") as file:
            count = struct.unpack("L", file.read(8))[0]
    if text is not None and NOTHING.search(text):
        return Outcome(None, count, "", took, "")
    return Outcome(count, count, kind_of(text) if text else "deadlock", took, "")
