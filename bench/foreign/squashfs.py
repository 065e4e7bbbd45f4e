# ===- squashfs.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# mksquashfs: C, make; packs folders into a file system. A reader, compressors, a
# writer and some more threads hand blocks to each other through queues and
# caches. It compresses with the system's zlib, which is not instrumented.
#
# ===----------------------------------------------------------------------===#

import os
import random

from harness import edit, include_header
from real import harness, input_file, quoted, script, text

NEEDED = ["make", "zlib1g-dev"]


def add_regions(tree):
    """An operation of a queue or a cache, which is one critical section, is a region."""
    path = os.path.join(tree, "caches-queues-lists.c")
    with open(path) as file:
        sections = file.read().count("pthread_cleanup_pop(1);")
    edit(
        path,
        (
            r"^\tpthread_mutex_lock\(.*\);",
            r"\g<0> __atsan_region_begin(__func__);",
            sections,
        ),
        (
            r"^\tpthread_cleanup_pop\(1\);",
            r"\t__atsan_region_end(); pthread_cleanup_pop(1);",
            sections,
        ),
    )
    include_header(path)


def fill_folder(bench, name, mib):
    """Files of all sizes, some of them twice, as they come in a user's folders."""
    os.makedirs(os.path.join(bench.programs, name), exist_ok=True)
    rng = random.Random(3)
    content, at, number = text(mib), 0, 0
    while at < len(content):
        size = rng.choice([100, 3000, 30000, 500000])
        for copy in range(1 + (number % 9 == 0)):
            part = content[at : at + size]
            input_file(bench, os.path.join(name, "%d-%d" % (number, copy)), lambda: part)
        at, number = at + size, number + 1


def make(bench, program, build):
    """Packs a folder: threads that compress, megabytes."""
    h = harness(bench, program, build)
    h.packages_there("squashfs-tools", NEEDED)
    tree = os.path.join(h.fresh_sources("squashfs-tools"), "squashfs-tools")
    if build.regions:
        add_regions(tree)
    h.must(["make", "mksquashfs"], tree, 10, "build", env=h.build_env())
    for mib in (program.arguments[1], program.short[1]):
        fill_folder(bench, "folder-" + mib, int(mib))
    binary = quoted(os.path.join(tree, "mksquashfs"))
    options = "-quiet -no-progress -noappend -all-root -mkfs-time 0 -all-time 0"
    # Small blocks, fast: otherwise zlib would take all the time.
    options += " -b 16K -Xcompression-level 1"
    return script(
        bench,
        program,
        build,
        "cd %s\n" % quoted(h.work)
        # It ends without its threads having ended.
        + 'export TSAN_OPTIONS="$TSAN_OPTIONS report_thread_leaks=0"\n'
        + '%s %s/folder-"$2" packed %s -processors "$1" >log\n'
        % (binary, quoted(bench.programs), options)
        + "cksum <packed\n",
    )
