# ===- zstd.py -------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Zstandard: C, plain makefiles; a thread pool, jobs handed over under mutexes. Not
# annotated.
#
# ===----------------------------------------------------------------------===#

import os

from harness import no_report

NEEDED = ["make"]


def own_test(h, tree, title, command):
    code, text, seconds = h.run(
        command, os.path.join(tree, "tests"), 20, "zstd-" + title.replace(" ", "-")
    )
    h.check(
        "zstd: its own tests, %s, no regions" % title,
        code == 0 and no_report(text),
        "%.0f s" % seconds,
    )


def run(h):
    tree = h.fresh_sources("libzstd")
    programs = ["poolTests", "zstreamtest"] + ([] if h.ci else ["fuzzer"])
    env = dict(h.build_env(), MOREFLAGS="-fsanitize=atomicity -g")
    tests = os.path.join(tree, "tests")
    h.must(["make", "-j2"] + programs, tests, 20, "zstd-build", env=env)
    own_test(h, tree, "thread pool", ["./poolTests"])
    seconds = 10 if h.ci else 90
    # Unit tests, then random ones, with worker threads.
    own_test(
        h, tree, "new API with threads",
        ["./zstreamtest", "--newapi", "-t1", "-T%ds" % seconds, "-s1"],
    )
    if not h.ci:
        own_test(h, tree, "streaming", ["./zstreamtest", "-T90s", "-s1"])
        own_test(h, tree, "fuzzer", ["./fuzzer", "-T90s", "-s1"])
