# ===- nng.py ------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# nng: C, CMake, some thirty threads even for small things. What it does with
# messages is regions, by a list; no line is changed.
#
# ===----------------------------------------------------------------------===#

import os

from gated import check_program

NEEDED = ["cmake", "ninja-build"]

TESTS = ["synch", "pipe", "inproc", "reqctx"]


def build(h, tree, env, log):
    if "-fsanitize=atomicity" in env["CFLAGS"]:
        names = os.path.join(tree, "regions.txt")
        with open(names, "w") as file:
            file.write("nng_msg_*\nnni_msg_*\nnni_lmq_*\n")
        env["CFLAGS"] += " -fatomicity-regions=list:" + names
    command = ["cmake", "-G", "Ninja", "-B", "b", "-DCMAKE_BUILD_TYPE=None"]
    h.must(command, tree, 5, log + "-configure", env=env)
    h.must(["ninja", "-j2", "-C", "b", "nng"] + TESTS, tree, 20, log)


def flags(tree):
    return ["-I" + tree + "/include", tree + "/b/libnng.a"]


def run(h):
    tests = ["b/tests/" + test for test in TESTS]
    check_program(h, "nng", build, tests, "planted_nng.c", flags)
