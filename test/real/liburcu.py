# ===- liburcu.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Userspace RCU: C, autotools; readers that take no lock, and waits of its own. The
# tests' own functions are regions, by a list; no line is changed.
#
# ===----------------------------------------------------------------------===#

import os

from gated import check_program

NEEDED = ["make"]

TESTS = ["test_uatomic", "test_urcu_multiflavor", "test_urcu_multiflavor_dynlink"]


def build(h, tree, env, log):
    if "-fsanitize=atomicity" in env["CFLAGS"]:
        names = os.path.join(tree, "regions.txt")
        with open(names, "w") as file:
            file.write("test_mf_*\n")
        env["CFLAGS"] += " -fatomicity-regions=list:" + names
    command = ["./configure", "--disable-shared"]
    h.must(command, tree, 10, log + "-configure", env=env)
    for folder in ["include", "src", "tests/utils", "tests/unit"]:
        name = log + "-" + folder.replace("/", "-")
        h.must(["make", "-j2", "-C", folder], tree, 15, name)


def flags(tree):
    libraries = [tree + "/src/.libs/" + name for name in ["liburcu.a", "liburcu-common.a"]]
    return ["-I" + tree + "/include"] + libraries


def run(h):
    tests = ["tests/unit/" + test for test in TESTS]
    check_program(h, "liburcu", build, tests, "planted_liburcu.c", flags)
