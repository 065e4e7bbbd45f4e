# ===- zstd.py -------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Zstandard: C, plain makefiles; a thread pool, jobs handed over under mutexes.
#
# ===----------------------------------------------------------------------===#

import os

from harness import edit, edit_function, include_header, no_report

NEEDED = ["make"]


def own_test(h, tree, title, command, regions="no regions"):
    log = "zstd-%s-%s" % (title, regions)
    code, text, seconds = h.run(
        command, os.path.join(tree, "tests"), 20, log.replace(" ", "-")
    )
    h.check(
        "zstd: its own tests, %s, %s" % (title, regions),
        code == 0 and no_report(text),
        "%.0f s" % seconds,
    )


def add_regions(tree):
    """Marks the critical sections that take from a pool or give back to it."""
    path = os.path.join(tree, "lib", "common", "pool.c")
    edit(
        path,
        (
            r"^( +)(POOL_add_internal\(ctx, function, opaque\);)",
            r'\1__atsan_region_begin("POOL_add"); \2 __atsan_region_end();',
            2,
        ),
    )
    edit_function(
        path,
        r"^static void\* POOL_thread\([^;]*\{",
        (r"POOL_job const job = ", r'__atsan_region_begin("pop"); \g<0>', 1),
        (r"^ +ctx->queueEmpty = .*;", r"\g<0> __atsan_region_end();", 1),
    )
    include_header(path)
    path = os.path.join(tree, "lib", "compress", "zstdmt_compress.c")
    lock = r"ZSTD_pthread_mutex_lock\(.*\);"
    unlock = r"ZSTD_pthread_mutex_unlock\(.*\);"
    for head, exits in {
        "static buffer_t ZSTDMT_getBuffer": 2,
        "static void ZSTDMT_releaseBuffer": 2,
        r"static ZSTD_CCtx\* ZSTDMT_getCCtx": 2,
        "static void ZSTDMT_releaseCCtx": 1,
    }.items():
        name = head.split()[-1]
        edit_function(
            path,
            r"^%s\([^;]*\{" % head,
            (lock, r'\g<0> __atsan_region_begin("%s");' % name, 1),
            (unlock, r"__atsan_region_end(); \g<0>", exits),
        )
    include_header(path)


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
    add_regions(tree)
    programs = ["poolTests", "zstreamtest"]
    h.must(["make", "-j2"] + programs, tests, 20, "zstd-build-regions", env=env)
    regions = "regions in its pools"
    own_test(h, tree, "thread pool", ["./poolTests"], regions)
    own_test(
        h, tree, "new API with threads",
        ["./zstreamtest", "--newapi", "-t1", "-T%ds" % seconds, "-s1"], regions,
    )
