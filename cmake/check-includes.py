# ===- check-includes.py ---------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# usage: check-includes.py <source tree>
#
# Fails when a file includes one of a room that its own room may not use. The
# rules are the block of docs/architecture.md that begins with ```rooms: a line
# for each folder, with what it and the folders in it may use, and under it the
# order of its rooms, of which each may use those before it.
#
# ===----------------------------------------------------------------------===#

import os
import re
import sys

SOURCES = (".h", ".cpp", ".inc", ".def")
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def read_rules(path):
    """What each folder may use, and the place of each room in its folder's order."""
    with open(path) as file:
        block = re.search(r"^```rooms\n(.*?)^```", file.read(), re.M | re.S)
    if not block:
        sys.exit(f"{path}: no block ```rooms")
    uses, place = {}, {}
    for line in block[1].splitlines():
        name, colon, rest = line.partition(":")
        if not colon:
            sys.exit(f"{path}: '{line}' is no rule; write <folder>: <what it may use>")
        names = rest.replace(",", " ").split()
        if line.startswith(" "):
            place.update({os.path.normpath(f"{folder}/{x}"): i for i, x in enumerate(names)})
        else:
            folder = name.strip()
            uses[folder] = names
    return uses, place


def is_in(path, folder):
    return path == folder or path.startswith(folder + "/")


def complaint(room, used, uses, place):
    """Why the room may not use the other one, or None."""
    if room == used:
        return None
    folder = next((x for x in uses if is_in(room, x)), None)
    if folder is None:
        return f"{room} has no rule"
    if is_in(used, folder):
        if room not in place or used not in place:
            return f"{room if room not in place else used} is not in the order of {folder}"
        return None if place[used] < place[room] else f"{used} does not come before {room}"
    if any(is_in(used, x) for x in uses[folder]):
        return None
    return f"{room} may not use {used}"


def includes(path):
    with open(path) as file:
        for number, line in enumerate(file, 1):
            if match := INCLUDE.match(line):
                yield number, match[1]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: check-includes.py <source tree>")
    os.chdir(sys.argv[1])
    uses, place = read_rules("docs/architecture.md")
    checked, wrong = 0, 0
    for top in sorted({x.split("/")[0] for x in uses}):
        for room, _, names in os.walk(top):
            for name in sorted(x for x in names if x.endswith(SOURCES)):
                for number, used in includes(f"{room}/{name}"):
                    # Others are of LLVM or sanitizer_common, or made by the build.
                    if not os.path.isfile(used):
                        continue
                    checked += 1
                    why = complaint(room, os.path.dirname(used), uses, place)
                    if why:
                        wrong += 1
                        print(f"{room}/{name}:{number}: {why} (docs/architecture.md)")
    print(f"{checked} includes, {wrong} against the rules")
    sys.exit(1 if wrong or not checked else 0)


main()
