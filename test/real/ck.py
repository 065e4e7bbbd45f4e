# ===- ck.py -------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Concurrency Kit: C, a configure script of its own, locks of its own, which are
# inline assembly. Three lines make the part of its tests that a lock protects a
# region.
#
# ===----------------------------------------------------------------------===#

import os

from gated import check_program
from harness import edit

NEEDED = ["make"]

TESTS = ["ck_spinlock/validate ck_ticket", "ck_spinlock/validate ck_fas"]
TESTS += ["ck_ht/validate serial", "ck_stack/validate serial"]


def add_regions(tree):
    folder = os.path.join(tree, "regressions", "ck_spinlock", "validate")
    first = r"(#endif\n\n)(\t\tck_pr_store_uint\(&locked, locked \+ 1\);)"
    edit(
        os.path.join(folder, "validate.h"),
        (r"^(#include <ck_spinlock.h>)", r"\1\n#include <sanitizer/atsan_interface.h>", 1),
        (first, r"\1\t\t__atomic_begin();\n\2", 1),
        (r"^(\t\tUNLOCK;\n\t\tLOCK;)", r"\t\t__atomic_end();\n\1", 1),
        # A second for each lock, where two cores are shared with others.
        (r"^(#define ITERATE 1000000)", r"#define ITERATE 20000", 1),
    )


def build(h, tree, env, log):
    if "-fsanitize=atomicity" in env["CFLAGS"]:
        add_regions(tree)
    h.must(["./configure"], tree, 5, log + "-configure", env=env)
    h.must(["make", "-j2"], tree, 10, log)
    for test in TESTS:
        folder, name = test.split()
        h.must(["make", "-C", "regressions/" + folder, name], tree, 5, log + "-" + name)


def flags(tree):
    return ["-I" + tree + "/include"]


def run(h):
    tests = []
    for test in TESTS:
        folder, name = test.split()
        threads = " 2 1" if name != "serial" else ""
        tests.append("regressions/%s/%s%s" % (folder, name, threads))
    check_program(h, "ck", build, tests, "planted_ck.c", flags)
