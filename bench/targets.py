# ===- targets.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# What is to be reached: THE list of targets, each with the command that measures
# it. Judges what the commands measured; measures nothing.
#
# ===----------------------------------------------------------------------===#

import json
import os
from collections import namedtuple

import stats

# `mean` bounds the geometric mean, `each` every single value (None: no bound).
# Upper bounds, but for at_least. `what` says how a value is defined. The results
# of the command "scale length" are in the folder scale-length.
Target = namedtuple("Target", "key what command mean each unit at_least")


def target(key, what, command, mean=None, each=None, unit="x", at_least=False):
    return Target(key, what, command, mean, each, unit, at_least)


TARGETS = [
    target("idle-cpu", "CPU time over native, no region", "run", 1.25, 2.5),
    target("short-cpu", "CPU time over TSan's, short regions", "run", 0.3, 0.8),
    target("always-cpu", "CPU time over TSan's, always in a region", "run", 0.4, 1.0),
    target("memory", "peak memory over TSan's, with regions", "run", 0.45, 0.65),
    target("idle-memory", "peak memory over native, no region", "run", 1.2),
    target(
        "start-up",
        "start-up of an empty program over native",
        "scale start-up",
        each=20,
        unit=" ms",
    ),
    target("compile-time", "compile time over clang -O1 -g", "build-cost", 1.3),
    target("code-size", "code size over TSan's", "build-cost", 1.1),
    # Flat: what noise and cold caches allow.
    target(
        "length",
        "CPU time per event over that of the shortest run",
        "scale length",
        each=1.1,
    ),
    # O(k).
    target(
        "threads",
        "CPU time per event, k threads over k / 2 times that of 2",
        "scale threads",
        each=1.0,
    ),
    target(
        "parallel",
        "throughput of two threads in disjoint regions over one",
        "scale parallel",
        each=1.8,
        at_least=True,
    ),
    target(
        "regions",
        "throughput of two threads with small regions of their own over one",
        "scale regions",
        each=1.9,
        at_least=True,
    ),
    target(
        "explore-worst",
        "schedules to a kernel's bug, best strategy, worst seed",
        "explore/measure",
        each=100,
        unit="",
    ),
    target(
        "explore-mean",
        "schedules to a kernel's bug, best strategy, mean of the seeds",
        "explore/measure",
        mean=5,
        unit="",
    ),
    target("minutes", "duration of bench/run itself", "run", each=20, unit=" minutes"),
]
KEYS = {t.key: t for t in TARGETS}


def limit(t):
    word = "at least" if t.at_least else "at most"
    parts = []
    if t.mean is not None:
        parts.append("mean %s %g%s" % (word, t.mean, t.unit))
    if t.each is not None:
        parts.append("each %s %g%s" % (word, t.each, t.unit))
    return ", ".join(parts)


def judge(t, values):
    """(what was measured, whether that meets the target); values: {label: value}."""
    worst_label = (min if t.at_least else max)(values, key=values.get)
    worst = values[worst_label]
    parts, met = [], True
    if t.mean is not None:
        mean = stats.geometric_mean(list(values.values()))
        parts.append("mean %.2f%s" % (mean, t.unit))
        met = mean >= t.mean if t.at_least else mean <= t.mean
    parts.append("worst %.2f%s (%s)" % (worst, t.unit, worst_label))
    if t.each is not None:
        met = met and (worst >= t.each if t.at_least else worst <= t.each)
    return ", ".join(parts), met


def store(folder, values, short):
    """Keeps what a command measured: {key: {label: value}}."""
    with open(os.path.join(folder, "targets.json"), "w") as file:
        json.dump({"short": short, "values": values}, file, indent=1)


def load(all_results):
    """{key: (values, short)} of every command that has run."""
    found = {}
    for command in sorted({t.command for t in TARGETS}):
        path = os.path.join(all_results, command.replace(" ", "-"), "targets.json")
        if os.path.exists(path):
            with open(path) as file:
                stored = json.load(file)
            for key, values in stored["values"].items():
                found[key] = (values, stored["short"])
    return found


# What people ask first.
MAIN = {"idle-cpu", "short-cpu", "always-cpu", "memory"}


def markdown(all_results, command=None, only=None):
    """The table, of all targets or of those of one command, or with certain keys."""
    found = load(all_results)
    lines = ["| what | target | measured | |", "|---|---|---|---|"]
    for t in TARGETS:
        if (command and t.command != command) or (only and t.key not in only):
            continue
        values, short = found.get(t.key, ({}, False))
        if not values:
            cells = "not measured: `bench/%s` | " % t.command
        else:
            text, met = judge(t, values)
            verdict = "met" if met else "**not met**"
            cells = "%s | %s" % (text, "a short run means nothing" if short else verdict)
        lines.append("| %s | %s | %s |" % (t.what, limit(t), cells))
    return "\n".join(lines) + "\n"
