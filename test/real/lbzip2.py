# ===- lbzip2.py -----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# lbzip2: C, autoconf; workers under a scheduler's mutex, queues with condition
# variables.
#
# ===----------------------------------------------------------------------===#

import os
import re

from harness import edit, include_header, no_report

NEEDED = ["make", "bzip2"]


def own_tests(h, tree, what, log):
    # The programs that the tests use were built by the build.
    code, text, seconds = h.run(
        ["make", "check"], tree, 10, log, env=h.build_env()
    )
    total = re.search(r"^# TOTAL: *(\d+)", text, re.M)
    passed = re.search(r"^# PASS: *(\d+)", text, re.M)
    h.check(
        "lbzip2: its own tests, " + what,
        code == 0 and total and total.group(1) == passed.group(1) != "0"
        and no_report(text),
        "%s of %s, %.0f s"
        % (passed and passed.group(1), total and total.group(1), seconds),
    )


def round_trip(h, tree, what, log):
    """Compresses its own objects with 4 workers, decompresses, compares."""
    script = (
        "set -e; rm -rf atsan-t; mkdir atsan-t; "
        "tar -cf atsan-t/in src lib; i=0; "
        "while [ $i -lt %d ]; do i=$((i + 1)); "
        "src/lbzip2 -n4 -1 -k -c atsan-t/in >atsan-t/in.bz2; "
        "src/lbzip2 -n4 -d -c atsan-t/in.bz2 | cmp - atsan-t/in; "
        "bzip2 -dc atsan-t/in.bz2 | cmp - atsan-t/in; "
        "bzip2 -9 -c atsan-t/in | src/lbzip2 -n3 -d -c | cmp - atsan-t/in; "
        "src/lbzip2 -n2 -u -c atsan-t/in | bzip2 -dc | cmp - atsan-t/in; "
        "done" % (1 if h.ci else 5)
    )
    code, text, seconds = h.run(script, tree, 10, log)
    size = os.path.getsize(os.path.join(tree, "atsan-t", "in")) / 1e6
    h.check(
        "lbzip2: round trips of %.1f MB, %s" % (size, what),
        code == 0 and no_report(text),
        "%.0f s" % seconds,
    )


def add_regions(tree):
    """Every critical section becomes a region.

    A worker's critical section goes from the end of one task to the middle of the
    next, and both may put something into the sink's queue, which has a mutex of
    its own: as one region it is not atomic (the sanitizer says so, rightly). So a
    worker's region ends where the next task begins.
    """
    path = os.path.join(tree, "src", "process.c")
    edit(
        path,
        (
            r"^#define xlock\(m\) +(.*)$",
            r"#define xlock(m) (\1, __atsan_region_begin(#m))",
            1,
        ),
        (
            r"^#define xunlock\(m\) +(.*)$",
            r"#define xunlock(m) (__atsan_region_end(), \1)",
            1,
        ),
        (
            r"^( +next_task->run\(\);)",
            r"__atsan_region_end(); __atsan_region_begin(next_task->name);\n\1",
            1,
        ),
    )
    include_header(path)


def configured(h):
    tree = h.fresh_sources("lbzip2")
    # Its copy of gnulib is older than glibc 2.28, which hid this macro.
    configure = ["./configure", "--quiet", "CPPFLAGS=-D_IO_ftrylockfile"]
    h.must(configure, tree, 5, "lbzip2-configure", env=h.build_env())
    return tree


def run(h):
    tree = configured(h)
    h.must(["make", "-j2"], tree, 10, "lbzip2-build", env=h.build_env())
    own_tests(h, tree, "no regions", "lbzip2-check")
    add_regions(tree)
    h.must(["make", "-j2"], tree, 10, "lbzip2-build-regions", env=h.build_env())
    own_tests(h, tree, "critical sections are regions", "lbzip2-check-regions")
    round_trip(h, tree, "critical sections are regions", "lbzip2-regions")
