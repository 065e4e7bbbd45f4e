# ===- pbzip2.py -----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# pbzip2: C++ around libbz2, which is not instrumented; a producer, consumers and
# a writer. It has no tests of its own: round trips are checked with bzip2.
#
# ===----------------------------------------------------------------------===#

import os

from harness import edit_function, include_header, no_report

NEEDED = ["make", "bzip2", "libbz2-dev"]


def build(h, tree, log):
    # Its Makefile sets its flags itself, and takes ours on its command line.
    flags = "-g -O2 -std=gnu++98 -pthread -fsanitize=atomicity"
    command = ["make", "CXX=" + h.cxx, "CXXFLAGS=" + flags]
    h.must(command, tree, 10, log)


def round_trips(h, tree, what, log):
    script = (
        "set -e; rm -rf atsan-t; mkdir atsan-t; "
        "cat pbzip2 *.cpp >atsan-t/in; i=0; "
        "while [ $i -lt %d ]; do i=$((i + 1)); "
        "./pbzip2 -p4 -b1 -1 -k -c atsan-t/in >atsan-t/in.bz2; "
        "./pbzip2 -p4 -d -c atsan-t/in.bz2 | cmp - atsan-t/in; "
        "bzip2 -dc atsan-t/in.bz2 | cmp - atsan-t/in; "
        "./pbzip2 -p3 -r -c <atsan-t/in | ./pbzip2 -p2 -d -c | cmp - atsan-t/in; "
        "done" % (3 if h.ci else 20)
    )
    code, text, seconds = h.run(script, tree, 10, log)
    size = os.path.getsize(os.path.join(tree, "atsan-t", "in")) / 1e6
    h.check(
        "pbzip2: round trips of %.1f MB, %s" % (size, what),
        code == 0 and no_report(text),
        "%.0f s" % seconds,
    )


def add_regions(tree):
    """Every critical section becomes a region."""
    path = os.path.join(tree, "pbzip2.cpp")
    edit_function(
        path,
        r"^inline void safe_mutex_lock\([^;]*\{",
        (r"^}", r'\t__atsan_region_begin("critical section");\n}', 1),
    )
    edit_function(
        path,
        r"^inline void safe_mutex_unlock\([^;]*\{",
        (r"^(\tint ret = )", r"\t__atsan_region_end();\n\1", 1),
    )
    include_header(path)


def run(h):
    tree = h.fresh_sources("pbzip2")
    build(h, tree, "pbzip2-build")
    round_trips(h, tree, "no regions", "pbzip2-check")
    add_regions(tree)
    build(h, tree, "pbzip2-build-regions")
    round_trips(h, tree, "critical sections are regions", "pbzip2-check-regions")
