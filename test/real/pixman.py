# ===- pixman.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Pixman: C with vectors, Meson. Every exported function is a region; no line is
# changed.
#
# ===----------------------------------------------------------------------===#

from gated import check_program

NEEDED = ["meson", "ninja-build"]

TESTS = ["thread-test", "region-test", "matrix-test", "a1-trap-test"]


def build(h, tree, env, log):
    if "-fsanitize=atomicity" in env["CFLAGS"]:
        env["CFLAGS"] += " -fatomicity-regions=exported"
    command = ["meson", "setup", "b", "-Dopenmp=disabled"]
    command += ["-Dgtk=disabled", "-Dlibpng=disabled"]
    h.must(command, tree, 5, log + "-configure", env=env)
    targets = ["test/" + test for test in TESTS]
    h.must(["ninja", "-j2", "-C", "b"] + targets, tree, 20, log)


def flags(tree):
    library = tree + "/b/pixman"
    return ["-I" + tree + "/pixman", "-I" + library, "-L" + library] + [
        "-lpixman-1",
        "-Wl,-rpath," + library,
    ]


def run(h):
    tests = ["b/test/" + test for test in TESTS]
    check_program(h, "pixman", build, tests, "planted_pixman.c", flags)
