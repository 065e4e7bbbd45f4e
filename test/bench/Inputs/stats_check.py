# ===- stats_check.py ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Checks bench/stats.py, bench/summary.py and bench/targets.py on small numbers.
#
#   stats_check.py <folder of the benchmarks>
#
# ===----------------------------------------------------------------------===#

import importlib.machinery
import os
import sys
import tempfile
import unittest
import warnings

sys.dont_write_bytecode = True
BENCH = sys.argv.pop()
sys.path.insert(0, BENCH)
# `load_module` is what a file without suffix needs.
warnings.simplefilter("ignore", DeprecationWarning)

import measure  # noqa: E402
import stats  # noqa: E402
import summary  # noqa: E402
import targets  # noqa: E402
import variants  # noqa: E402


def run(program, build, number, cpu, rss=1000):
    return summary.Run(program, build, number, cpu, cpu, rss)


class Maths(unittest.TestCase):
    def test_spread(self):
        self.assertEqual(stats.spread([3, 1, 2]), (2, 1, 3))
        self.assertEqual(stats.spread([4, 1, 2, 3]), (2.5, 1, 4))

    def test_geometric_mean(self):
        self.assertAlmostEqual(stats.geometric_mean([2, 8]), 4)
        self.assertAlmostEqual(stats.geometric_mean([0.5, 2]), 1)
        for bad in ([], [1, 0], [1, -1]):
            self.assertRaises(ValueError, stats.geometric_mean, bad)

    def test_ratios_are_taken_round_by_round(self):
        # The second round was disturbed for both. The ratio of the medians is 2.
        mine, base = {0: 4, 1: 30, 2: 6}, {0: 1, 1: 10, 2: 3}
        self.assertEqual(stats.paired_ratios(mine, base), (3, 2, 4))
        self.assertRaises(ValueError, stats.paired_ratios, {0: 1}, {1: 1})


class Suite(unittest.TestCase):
    def setUp(self):
        self.summary = summary.Summary(
            [run("p", "native", n, 1.0) for n in range(3)]
            + [run("p", "tsan", n, 10.0, 8000) for n in range(3)]
            + [run("p", "atsan-short-regions", n, 2.0 + n, 2000) for n in range(3)]
            + [run("q", "native", n, 1.0) for n in range(3)]
            + [run("q", "tsan", n, 20.0, 8000) for n in range(3)]
        )

    def test_ratio(self):
        ratio = self.summary.ratio("p", "atsan-short-regions", "native", "cpu")
        self.assertEqual(ratio, (3, 2, 4))
        self.assertIsNone(
            self.summary.ratio("q", "atsan-short-regions", "native", "cpu")
        )

    def test_measured(self):
        values = summary.measured(self.summary)
        self.assertEqual(set(values), {"short-cpu", "memory"})
        self.assertAlmostEqual(values["short-cpu"]["p"], 0.3)
        self.assertEqual(values["memory"], {"p, atsan-short-regions": 0.25})

    def test_text_names_every_run(self):
        text = "".join(summary.parts(self.summary, {"p": ["1"], "q": ["2"]}))
        self.assertIn("| tsan | native | 14.14 (q: 20.00) |", text)
        self.assertIn("| p | atsan-short-regions | 3 (2-4) |", text)
        self.assertNotIn("| q | atsan-short-regions", text)


class WrongResult(unittest.TestCase):
    """A variant that computes something else is an error, not a figure."""

    class Bench:
        def __init__(self, texts):
            self.texts = texts

        def run(self, path, *_):
            return measure.Usage(self.texts[path], 1.0, 1.0, 1000)

    def measure(self, texts):
        loader = importlib.machinery.SourceFileLoader("run", BENCH + "/run")
        harness = loader.load_module()
        builds = [variants.NATIVE, variants.TSAN]
        program = variants.Program("p", [], [], builds)
        paths = {("p", b.name): b.name for b in builds}
        return harness.measure(self.Bench(texts), [program], paths, 2, True)

    def test_same_results(self):
        runs = self.measure({"native": "sum 1", "tsan": "sum 1"})
        # The first round warms up.
        self.assertEqual([r.round for r in runs], [0, 0, 1, 1])

    def test_another_result(self):
        with self.assertRaisesRegex(SystemExit, "p, tsan: the result is 'sum 2', not"):
            self.measure({"native": "sum 1", "tsan": "sum 2"})


class Targets(unittest.TestCase):
    def test_both_bounds_count(self):
        idle = targets.KEYS["idle-cpu"]
        self.assertTrue(targets.judge(idle, {"a": 0.7, "b": 2.0})[1])
        self.assertFalse(targets.judge(idle, {"a": 1.6, "b": 1.6})[1])
        self.assertFalse(targets.judge(idle, {"a": 0.1, "b": 2.6})[1])

    def test_at_least(self):
        parallel = targets.KEYS["parallel"]
        text, met = targets.judge(parallel, {"a": 1.9, "b": 1.7})
        self.assertFalse(met)
        self.assertIn("worst 1.70x (b)", text)
        self.assertTrue(targets.judge(parallel, {"a": 1.8})[1])

    def test_what_is_not_measured_is_not_met(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "run"))
            for short, verdict in ((False, "| met |"), (True, "means nothing |")):
                targets.store(
                    os.path.join(folder, "run"), {"idle-cpu": {"a": 1}}, short
                )
                text = targets.markdown(folder)
                self.assertEqual(text.count(verdict), 1)
                self.assertEqual(
                    text.count("not measured: `bench/"), len(targets.TARGETS) - 1
                )


unittest.main(verbosity=0)
