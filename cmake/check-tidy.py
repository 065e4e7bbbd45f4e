#!/usr/bin/env python3
# ===- check-tidy.py ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# usage: check-tidy.py [--recent] <build tree> [run-clang-tidy]
#
# Fails when clang-tidy objects to a source of the product. What it may object to
# stands in .clang-tidy. Of LLVM 22, which passes over the system's headers, it
# takes less than half the time that it takes of LLVM 19.
#
# With --recent only sources are looked at that changed in the last commits, or
# since, and for a header one that includes it; all, if git does not know.
#
# ===----------------------------------------------------------------------===#

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

RECENT_COMMITS = 30
PRODUCT = ("lib/", "pass/", "runtime/", "tools/")
PRECOMPILED = r' -Winvalid-pch| -Xclang -include(-pch)? -Xclang ("[^"]*"|\S+)'


def alone(entry):
    """What compiles each source of a batch by itself."""
    batch = entry["file"]
    if not re.search(r"/Unity/unity_\d+_\w+\.\w+$", batch):
        return [entry]
    with open(batch) as file:
        members = re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)
    return [
        dict(entry, file=one, command=entry["command"].replace(batch, one))
        for one in members
    ]


def sources(build, root):
    """What compiles each source of the product, by its path in the tree: a source
    that several targets compile is looked at once."""
    found = {}
    with open(os.path.join(build, "compile_commands.json")) as file:
        entries = json.load(file)
    for entry in entries:
        # Only the compiler that made a precompiled header can read it.
        entry["command"] = re.sub(PRECOMPILED, "", entry["command"])
        for one in alone(entry):
            path = os.path.realpath(os.path.join(one["directory"], one["file"]))
            path = os.path.relpath(path, root)
            if path.startswith(PRODUCT):
                found.setdefault(path, one)
    return found


def changed(root):
    """The paths that changed lately, new ones included; None if git cannot say."""
    paths = set()
    for listed in (
        ["diff", "--name-only", "--relative", "HEAD~%d" % RECENT_COMMITS],
        ["ls-files", "--others", "--exclude-standard"],
    ):
        result = subprocess.run(
            ["git", "-C", root, *listed],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        if result.returncode:
            return None
        paths.update(result.stdout.split("\n"))
    return paths


def including(header, root, found):
    """The first source that includes a header."""
    line = re.compile('^#include "%s"' % re.escape(header), re.MULTILINE)
    for path in sorted(found):
        with open(os.path.join(root, path)) as file:
            if line.search(file.read()):
                return path
    return None


def recent(root, found):
    paths = changed(root)
    if paths is None:
        return found
    wanted = paths | {including(p, root, found) for p in paths if p.endswith(".h")}
    return {path: found[path] for path in found if path in wanted}


def main():
    parser = argparse.ArgumentParser(prog="check-tidy.py")
    parser.add_argument("--recent", action="store_true")
    parser.add_argument("build")
    parser.add_argument("tidy", nargs="?")
    arguments = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    tidy = arguments.tidy or shutil.which("run-clang-tidy-22") or "run-clang-tidy-19"

    found = sources(arguments.build, root)
    chosen = recent(root, found) if arguments.recent else found
    print("clang-tidy: %d of %d sources" % (len(chosen), len(found)), flush=True)
    if not chosen:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "compile_commands.json"), "w") as file:
            json.dump(list(chosen.values()), file)
        return subprocess.call([tidy, "-quiet", "-p", folder])


sys.exit(main())
