# ===- summary.py ----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Makes a table of single runs: medians, spread, ratios. Measures nothing.
#
# ===----------------------------------------------------------------------===#

import os
import platform
import statistics
import subprocess


def machine(clang):
    """What a reader must know of the machine; no names of hosts or people."""
    model = "unknown processor"
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    version = subprocess.run([clang, "--version"], capture_output=True, text=True).stdout
    return [
        "%s, %d cores, %.0f GiB" % (model, os.cpu_count(), memory),
        "Linux %s, glibc %s" % (platform.release(), platform.libc_ver()[1]),
        version.splitlines()[0],
    ]


def spread(values):
    """How far apart the runs lie, relative to the median."""
    return (max(values) - min(values)) / statistics.median(values)


def cell(values, form):
    return "%s ±%.0f %%" % (
        form % statistics.median(values),
        50 * spread(values),
    )


def ratio(runs, base):
    """Ratio of the medians."""
    if not base:
        return "-"
    return "%.2f" % (
        statistics.median(r.cpu for r in runs) / statistics.median(r.cpu for r in base)
    )


def markdown(runs, programs, quick, facts):
    rounds = 1 + max(r.round for r in runs)
    lines = ["# Measurement", ""]
    if quick:
        lines += ["**A quick check of the harness: the figures mean nothing.**", ""]
    lines += ["- " + fact for fact in facts]
    lines += [
        "- rounds: %d, variants in turns; medians, with half the distance between the "
        "smallest and the largest run" % rounds,
        "- load of the machine at the end (1, 5, 15 minutes; the programs themselves "
        "count): %.1f, %.1f, %.1f" % os.getloadavg(),
        "",
        "| program | variant | CPU s | wall s | peak RSS MiB | CPU / native | "
        "CPU / TSan |",
        "|---|---|---|---|---|---|---|",
    ]
    for program in programs:
        of = {
            b.name: [r for r in runs if (r.program, r.build) == (program.name, b.name)]
            for b in program.builds
        }
        for name, mine in of.items():
            lines.append(
                "| %s | %s | %s | %s | %.1f | %s | %s |"
                % (
                    program.name,
                    name,
                    cell([r.cpu for r in mine], "%.2f"),
                    cell([r.wall for r in mine], "%.2f"),
                    statistics.median(r.rss_kib for r in mine) / 1024,
                    ratio(mine, of.get("native")),
                    ratio(mine, of.get("tsan")),
                )
            )
    lines += [
        "",
        "Arguments: " + "; ".join(
            "%s %s" % (p.name, " ".join(p.quick if quick else p.arguments))
            for p in programs
        ),
    ]
    return "\n".join(lines) + "\n"
