# ===- output.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# What every command of bench/ leaves behind: tables of single values (CSV), text
# (Markdown) with the machine and the versions, all of it (table.md) and what the
# documentation shows (page.md), and the targets that it measured.
#
# ===----------------------------------------------------------------------===#

import csv
import json
import os
import platform
import subprocess
import textwrap
import time

import targets

_start = time.monotonic()


def minutes():
    """Since the command began."""
    return (time.monotonic() - _start) / 60


def _first_line(command):
    return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0]


def machine(clang):
    """What a reader must know of the machine; no names of hosts or people."""
    model = "unknown processor"
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return [
        "%s, %d cores, %.0f GiB" % (model, os.cpu_count(), memory),
        "Linux %s, glibc %s" % (platform.release(), platform.libc_ver()[1]),
        _first_line([clang, "--version"]),
        _first_line(["hyperfine", "--version"]),
    ]


def write_csv(bench, name, header, rows):
    with open(os.path.join(bench.out, name), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def digits(number, count=3):
    """Rounded to so many digits, and never with an exponent."""
    text = f"{number:.{count}g}"
    return f"{number:.0f}" if "e+" in text else text


def table(header, rows):
    lines = ["| %s |" % " | ".join(header), "|" + "---|" * len(header)]
    lines += ["| %s |" % " | ".join(map(str, row)) for row in rows]
    return "\n".join(lines) + "\n"


def _wrapped(part):
    """Paragraphs in lines of at most 100 characters; tables and lists as they are."""
    blocks = part.rstrip("\n").split("\n\n")
    return "\n\n".join(
        block
        if block.startswith(("|", "- ")) or "\n|" in block
        else textwrap.fill(block, 100, break_on_hyphens=False)
        for block in blocks
    ) + "\n"


def _document(facts, parts, short):
    text = "**A short run: the figures mean nothing.**\n\n" if short else ""
    return text + facts + "".join("\n" + _wrapped(part) for part in parts)


def finish(bench, command, method, parts, measured, short, page=None):
    """Writes and prints <out>/<command>/table.md; `parts`: paragraphs and tables.
    `page`, where given, are those for the documentation, in page.md."""
    if measured:
        targets.store(bench.out, measured, short)
    facts = machine(bench.clang) + [
        "%s; took %.1f minutes" % (method, minutes()),
        "load of the machine at the end (1, 5, 15 minutes; the programs themselves "
        "count): %.1f, %.1f, %.1f" % os.getloadavg(),
    ]
    text = _document("".join("- %s\n" % fact for fact in facts), parts, short)
    with open(os.path.join(bench.out, "table.md"), "w") as file:
        file.write(text)
    with open(os.path.join(bench.out, "page.md"), "w") as file:
        file.write(_document(_wrapped("; ".join(facts) + "."), page or parts, short))
    with open(os.path.join(bench.out, "about.json"), "w") as file:
        json.dump({"command": "bench/" + command, "short": short}, file)
    print("\n" + text)
    if measured:
        command = None if command == "run" else command
        print(targets.markdown(bench.all_results, command))
    print("Tables, single values and plots: %s" % bench.out)
