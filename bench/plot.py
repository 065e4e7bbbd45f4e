# ===- plot.py -----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Draws bars and lines with gnuplot, as SVG. Knows nothing of what they mean.
#
# ===----------------------------------------------------------------------===#

import subprocess

from measure import fail

COLOURS = ["#5f6b7a", "#c2410c", "#15803d", "#2563eb", "#7c3aed", "#b45309", "#0e7490"]


TICKS = ", ".join("%g" % (m * 10.0**e) for e in range(-6, 5) for m in (1, 2, 5))


def _text(words):
    # Names are no mark-up.
    return '"%s"' % words.replace("\\", "").replace('"', "'").replace("_", "-")


def _gnuplot(path, size, commands, blocks):
    script = [
        'set terminal svg size %d,%d dynamic font "sans-serif,13" background "white"'
        % size,
        "set output '%s'" % path.replace("'", "''"),
        "set grid ytics lc rgb '#d4d4d8'",
        "set border 3 lc rgb '#52525b'",
        "set tics nomirror",
        "set key outside top center horizontal",
    ]
    for number, rows in enumerate(blocks):
        script += ["$d%d << EOD" % number, *rows, "EOD"]
    done = subprocess.run(
        ["gnuplot"],
        input="\n".join(script + commands) + "\n",
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        fail("gnuplot could not draw %s\n%s" % (path, done.stderr))


def bars(path, title, unit, groups, series):
    """Grouped bars on a logarithmic scale, with the spread as whiskers.

    series: {name: {group: Spread}}; a group may be missing in one.
    """
    columns = []
    blocks = [[]]
    for group in groups:
        row = [_text(group)]
        for values in series.values():
            v = values.get(group)
            row += ["%g" % x for x in (v.median, v.low, v.high)] if v else ["NaN"] * 3
        blocks[0].append(" ".join(row))
    for number, name in enumerate(series):
        first = 2 + 3 * number
        columns.append(
            "$d0 using %d:%d:%d%s title %s lc rgb '%s'"
            % (
                first,
                first + 1,
                first + 2,
                ":xtic(1)" if number == 0 else "",
                _text(name),
                COLOURS[number % len(COLOURS)],
            )
        )
    commands = [
        "set title " + _text(title),
        "set ylabel " + _text(unit),
        "set logscale y",
        "set style data histograms",
        "set style histogram errorbars gap 1.5 lw 1",
        "set style fill solid 0.85 noborder",
        "set errorbars small front lc rgb 'black'",
        "set ytics (%s)" % TICKS,
        "set xtics rotate by -35",
        "set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb 'black'",
        "plot " + ", ".join(columns),
    ]
    width = max(640, 160 + len(groups) * (30 + 16 * len(series)))
    height = 360 + 5 * max(len(group) for group in groups)
    _gnuplot(path, (width, height), commands, blocks)


def lines(path, title, x_label, unit, series, log_y=True):
    """Lines on a logarithmic x axis. series: {name: [(x, y)]}."""
    blocks, parts = [], []
    for number, (name, points) in enumerate(series.items()):
        blocks.append(["%g %g" % point for point in points])
        parts.append(
            "$d%d using 1:2 with linespoints pt 7 ps 0.6 lw 2 lc rgb '%s' title %s"
            % (number, COLOURS[number % len(COLOURS)], _text(name))
        )
    commands = [
        "set title " + _text(title),
        "set xlabel " + _text(x_label),
        "set ylabel " + _text(unit),
        "set logscale %s" % ("xy" if log_y else "x"),
        "set xtics (%s)"
        % ", ".join(
            '"%s" %g' % (short_number(x), x)
            for x in sorted({x for points in series.values() for x, _ in points})
        ),
        "plot " + ", ".join(parts),
    ]
    if not log_y:
        commands.insert(0, "set yrange [0:*]")
    _gnuplot(path, (720, 400), commands, blocks)


def short_number(x):
    """1000000 -> 1M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if x >= size:
            return "%g%s" % (round(x / size, 2), letter)
    return "%g" % x
