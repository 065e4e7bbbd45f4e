# ===- scaling.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# The throughput of N cores that repeat one operation, from what was counted:
#
#     min(N / (t + L m), 1 / (L h + t i))
#
# An operation takes t by itself, and waits L for each of the m lines that it must get
# from another core. The line that is held longest, from its first to its last write
# in an operation, is one operation's at a time: h lines move meanwhile, and it takes
# the part i of the operation's own work.
#
# Assumed: cores do nothing else; a core waits for one line at a time; a line takes as
# long from any core to any other, also when many ask; lines that are held are those
# of locks; operations of many threads share lines as those of the most threads do
# that were counted.
#
# ===----------------------------------------------------------------------===#

import statistics
from collections import namedtuple

COUNTED = ["instructions", "locked", "fences", "written"]
COUNTED += ["shared_written", "shared_read", "moved"]


class Model(namedtuple("Model", "one own moves holds")):
    """one: ns of a thread alone; own: ns of work where threads meet; moves: lines;
    holds: (lines, part of `own`) of each line that may be the hottest."""

    def longest(self, line):
        """For how many ns the hottest line is one operation's, and its number."""
        times = [(line * h + self.own * i, n) for n, (h, i) in enumerate(self.holds)]
        return max(times, default=(0, None))

    def time(self, line):
        """Of an operation, in ns, where there is no queue."""
        return self.own + line * self.moves

    def end(self, line):
        """The number of cores that bring something; or None."""
        longest = self.longest(line)[0]
        return self.time(line) / longest if longest else None

    def throughput(self, line, cores):
        """Operations per ns."""
        return min(cores, self.end(line) or cores) / self.time(line)


def hot_lines(counts):
    """Those that several threads write."""
    return [x for x in counts["lines"] if x["writers"] > 1 and x["moved_to_write"]]


def _model(counts, one, nanoseconds):
    """Of operations that take that long alone, and were counted as `one`."""
    operations, instructions = counts["operations"], counts["instructions"]
    # Where threads meet, an operation takes other ways.
    more = instructions / operations / (one["instructions"] / one["operations"])
    holds = [
        (x["held_moves"] / operations, x["held_instructions"] / instructions)
        for x in hot_lines(counts)
    ]
    return Model(nanoseconds, nanoseconds * more, counts["moved"] / operations, holds)


def models(counts, times):
    """{(operation, build): of the most threads, (operation, build, k): of k}"""
    found = {}
    for (operation, build, k), of in counts.items():
        one = counts[operation, build, 1]
        alone = statistics.median(times[operation, build, 1])
        model = _model(of, one, alone)
        found[operation, build, k] = found[operation, build] = model
    return found
