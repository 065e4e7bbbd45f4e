# ===- summary.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Makes tables, plots and values for the targets of the single runs of bench/run.
# Measures nothing.
#
# ===----------------------------------------------------------------------===#

import os
from collections import namedtuple

import output
import plot
import stats

Run = namedtuple("Run", "program build round wall cpu rss_kib")

METRICS = {"cpu": "CPU time", "wall": "wall time", "rss_kib": "peak memory"}
BASES = {"native": "native", "tsan": "ThreadSanitizer"}


class Summary:
    """All ratios of a measurement."""

    def __init__(self, runs):
        self.programs = list(dict.fromkeys(r.program for r in runs))
        self.builds = list(dict.fromkeys(r.build for r in runs))
        self.rounds = len({r.round for r in runs})
        self._values = {}
        for r in runs:
            for metric in METRICS:
                of = self._values.setdefault((r.program, r.build, metric), {})
                of[r.round] = getattr(r, metric)

    def absolute(self, program, build, metric):
        """Spread over the rounds, or None where there is no such run."""
        values = self._values.get((program, build, metric))
        return values and stats.spread(list(values.values()))

    def ratio(self, program, build, base, metric):
        mine = self._values.get((program, build, metric))
        other = self._values.get((program, base, metric))
        return stats.paired_ratios(mine, other) if mine and other else None

    def medians(self, build, base, metric):
        """{program: median ratio}, for the programs that have both."""
        ratios = {p: self.ratio(p, build, base, metric) for p in self.programs}
        return {p: r.median for p, r in ratios.items() if r}

    def ratio_rows(self):
        for program in self.programs:
            for build in self.builds:
                for base in BASES:
                    for metric in METRICS:
                        r = self.ratio(program, build, base, metric)
                        if r and build != base:
                            figures = ("%.4f" % x for x in r)
                            yield (program, build, base, metric, *figures)


def _cell(spread):
    if not spread:
        return "-"
    return "%s (%s-%s)" % tuple("%.3g" % x for x in spread)


def _program_table(summary):
    rows = []
    for program in summary.programs:
        for build in summary.builds:
            cpu = summary.absolute(program, build, "cpu")
            if not cpu:
                continue
            rss = summary.absolute(program, build, "rss_kib")
            row = [program, build, _cell(cpu)]
            row.append(_cell(summary.absolute(program, build, "wall")))
            row.append("%.1f" % (rss.median / 1024))
            for base in BASES:
                r = build != base and summary.ratio(program, build, base, "cpu")
                row.append(_cell(r))
            rows.append(row)
    header = ["program", "variant", "CPU s", "wall s", "peak RSS MiB"]
    return output.table(header + ["CPU / native", "CPU / TSan"], rows)


def _mean_table(summary):
    rows = []
    for build in summary.builds:
        for base, base_name in BASES.items():
            cells = [build, base_name]
            for metric in METRICS:
                medians = summary.medians(build, base, metric)
                if build == base or not medians:
                    break
                mean = stats.geometric_mean(list(medians.values()))
                worst = max(medians, key=medians.get)
                cells.append("%.2f (%s: %.2f)" % (mean, worst, medians[worst]))
            else:
                rows.append(cells)
    return output.table(["variant", "relative to", *METRICS.values()], rows)


SHORT = {"atsan-no-region": "no region", "atsan-short-regions": "short regions"}
SHORT["atsan-always-in-region"] = "always"


def _ratio_table(summary):
    """A row for each program: CPU time and memory as people compare them."""
    columns = [("TSan / native", "tsan", "native", "cpu")]
    columns += [("no region / native", "atsan-no-region", "native", "cpu")]
    columns += [
        ("%s / TSan" % SHORT[build], build, "tsan", "cpu")
        for build in ("atsan-short-regions", "atsan-always-in-region")
    ]
    columns += [
        ("memory: %s / TSan" % SHORT[build], build, "tsan", "rss_kib")
        for build in ("atsan-short-regions", "atsan-always-in-region")
    ]
    rows = []
    for program in summary.programs:
        native = summary.absolute(program, "native", "cpu")
        row = [program, "%.2g" % native.median if native else "-"]
        for _, build, base, metric in columns:
            r = summary.ratio(program, build, base, metric)
            row.append("%.2f" % r.median if r else "-")
        rows.append(row)
    header = ["program", "native, s", *(column[0] for column in columns)]
    return output.table(header, rows)


def _means(summary):
    return [
        "Geometric means over the programs of the median ratios; in brackets the "
        "worst program.\n",
        _mean_table(summary),
    ]


def page(summary):
    """What the documentation shows."""
    return [
        *_means(summary),
        "Medians of the ratios of CPU time, and of peak memory; a dash: the program "
        "has no such variant.\n",
        _ratio_table(summary),
    ]


def parts(summary, arguments):
    """The text behind the facts of the machine."""
    return [
        *_means(summary),
        "Medians with the smallest and the largest value. Ratios are taken round by "
        "round.\n",
        _program_table(summary),
        "Arguments: "
        + "; ".join("%s %s" % (p, " ".join(a)) for p, a in arguments.items())
        + "\n",
    ]


def draw(summary, folder):
    for metric, title in METRICS.items():
        for base, base_name in BASES.items():
            series = {
                build: {
                    p: r
                    for p in summary.programs
                    for r in [summary.ratio(p, build, base, metric)]
                    if r
                }
                for build in summary.builds
                if build not in (base, "native")
            }
            name = "%s-over-%s.svg" % (metric.replace("_kib", ""), base)
            plot.bars(
                os.path.join(folder, name),
                "%s relative to %s" % (title, base_name),
                "times %s (medians, whiskers: all rounds)" % base_name,
                summary.programs,
                {build: values for build, values in series.items() if values},
            )


def measured(summary):
    """The values for the targets (targets.py)."""
    idle, short, always = (
        "atsan-no-region",
        "atsan-short-regions",
        "atsan-always-in-region",
    )
    memory = {}
    for build in (short, always):
        for program, ratio in summary.medians(build, "tsan", "rss_kib").items():
            memory["%s, %s" % (program, build)] = ratio
    values = {
        "idle-cpu": summary.medians(idle, "native", "cpu"),
        "short-cpu": summary.medians(short, "tsan", "cpu"),
        "always-cpu": summary.medians(always, "tsan", "cpu"),
        "memory": memory,
        "idle-memory": summary.medians(idle, "native", "rss_kib"),
    }
    return {key: of for key, of in values.items() if of}
