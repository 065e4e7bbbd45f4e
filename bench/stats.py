# ===- stats.py ----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# The mathematics of the summaries, and nothing else. test/bench/stats.test checks
# it.
#
# ===----------------------------------------------------------------------===#

import math
import statistics
from collections import namedtuple

# A median with the smallest and the largest value.
Spread = namedtuple("Spread", "median low high")


def spread(values):
    return Spread(statistics.median(values), min(values), max(values))


def paired_ratios(mine, base):
    """The ratio in each round: what disturbs a round disturbs both sides.

    Both map rounds to values. Rounds that one of them lacks do not count.
    """
    rounds = sorted(set(mine) & set(base))
    if not rounds:
        raise ValueError("no round has both")
    return spread([mine[number] / base[number] for number in rounds])


def geometric_mean(values):
    if not values or min(values) <= 0:
        raise ValueError("a geometric mean needs positive values")
    return math.exp(sum(math.log(value) for value in values) / len(values))
