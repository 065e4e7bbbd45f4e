# ===- graphs_check.py -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Writes recorded runs (bench/trace/Trace.h) and has them checked by the tool behind
# bench/cav08: runs with a known verdict, and random ones on which its two checkers
# must agree.
#
#   graphs_check.py <graphs> <folder for the runs>
#
# ===----------------------------------------------------------------------===#

import json
import os
import random
import struct
import subprocess
import sys
import unittest

FOLDER = sys.argv.pop()
GRAPHS = sys.argv.pop()

READ, WRITE, _, _, UPDATE, FORGET, BEGIN, END, CREATE, JOIN, EXIT = range(11)
BASE = 0x7E1234560000


def record(thread, what, address=0, size=0):
    return struct.pack("<QIHBB", address, size, thread, what, 0)


def rd(thread, at, size=4):
    return record(thread, READ, BASE + at, size)


def wr(thread, at, size=4):
    return record(thread, WRITE, BASE + at, size)


def begin(thread):
    return record(thread, BEGIN)


def end(thread):
    return record(thread, END)


def in_threads(count, records):
    """Threads 1 to count, started and joined by thread 0."""
    threads = range(1, count + 1)
    start = [record(0, CREATE, t) for t in threads]
    stop = [record(t, EXIT) for t in threads] + [record(0, JOIN, t) for t in threads]
    return start + records + stop


def judge(checker, records, *limits):
    path = os.path.join(FOLDER, "run")
    with open(path, "wb") as file:
        file.write(b"".join(records))
    done = subprocess.run(
        [GRAPHS, checker, path, *limits], capture_output=True, text=True, timeout=60
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def both(records):
    plain = judge("plain", records, "60", "1000")
    return plain, judge("summary", records)


class Known(unittest.TestCase):
    def verdict(self, count, records):
        plain, summary = both(in_threads(count, records))
        self.assertEqual(plain["verdict"], summary["verdict"])
        return plain, summary

    def test_lost_update(self):
        update = [begin(1), rd(1, 0), begin(2), rd(2, 0), wr(2, 0), end(2)]
        plain, summary = self.verdict(2, [*update, wr(1, 0), end(1)])
        self.assertEqual(plain["verdict"], "violation")
        self.assertEqual(summary["event"], 9)  # Two threads were started.
        self.assertEqual((plain["entities"], plain["shared_events"]), (1, 4))

    def test_one_after_the_other(self):
        update = [[begin(t), rd(t, 0), wr(t, 0), end(t)] for t in (1, 2)]
        plain, _ = self.verdict(2, update[0] + update[1])
        self.assertEqual(plain["verdict"], "serializable")
        # Both regions, the two starts as one, and the joins one after the other.
        self.assertEqual(plain["nodes"], 5)

    def test_neighbouring_bytes_are_no_conflict(self):
        run = [begin(1), rd(1, 0, 1), begin(2), rd(2, 1, 1), wr(2, 1, 1), end(2)]
        plain, _ = self.verdict(2, [*run, wr(1, 0, 1), end(1)])
        self.assertEqual(plain["verdict"], "serializable")
        self.assertEqual(plain["entities"], 0)

    def test_a_new_life_has_no_past(self):
        forget = record(2, FORGET, BASE, 8)
        run = [begin(1), rd(1, 0), begin(2), wr(2, 0), wr(1, 8), rd(2, 8), end(2)]
        run += [forget, wr(1, 0), end(1)]
        self.assertEqual(self.verdict(2, run)[0]["verdict"], "serializable")
        run.remove(forget)
        self.assertEqual(self.verdict(2, run)[0]["verdict"], "violation")

    def test_cycle_through_unary_accesses(self):
        # docs/semantics.md, rule 3: two readers in regions, two plain writers.
        run = [begin(4), rd(4, 0), wr(1, 0), begin(3), rd(3, 0), rd(3, 8), end(3)]
        run += [wr(2, 8), rd(4, 8), end(4)]
        self.assertEqual(self.verdict(4, run)[0]["verdict"], "violation")

    def test_limits(self):
        run = []
        for _ in range(3000):
            for t in (1, 2):
                run += [begin(t), rd(t, 0), wr(t, 0), end(t)]
        run = in_threads(2, run)
        stopped = judge("plain", run, "0", "1000")
        self.assertEqual(stopped["verdict"], "stopped: time")
        stopped = judge("plain", run, "60", "0")
        self.assertEqual(stopped["verdict"], "stopped: memory")

    def test_a_run_that_is_cut_off_is_an_error(self):
        with self.assertRaisesRegex(AssertionError, "is cut off"):
            judge("summary", [begin(0), b"abc"])


class Random(unittest.TestCase):
    def schedule(self, rng):
        count = rng.randint(2, 4)
        inside = set()
        records = []
        for _ in range(rng.randint(5, 60)):
            t = rng.randint(1, count)
            kind = rng.random()
            if kind < 0.25:
                records.append((end if t in inside else begin)(t))
                inside ^= {t}
            elif kind < 0.28:
                records.append(record(t, FORGET, BASE + 8 * rng.randint(0, 2), 8))
            else:
                size = rng.choice((1, 4, 4, 8, 8, 16))
                access = rng.choice((rd, rd, wr))
                records.append(access(t, rng.choice((0, 1, 4, 8, 16, 24)), size))
        return in_threads(count, records + [end(t) for t in inside])

    def test_checkers_agree(self):
        found = set()
        for seed in range(300):
            plain, summary = both(self.schedule(random.Random(seed)))
            self.assertEqual(plain["verdict"], summary["verdict"], "seed %d" % seed)
            found.add(plain["verdict"])
        self.assertEqual(found, {"violation", "serializable"})


unittest.main(verbosity=0)
