# ===- minimap2.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# minimap2: C, make; finds where pieces of DNA ("reads") come from in a genome. Its
# threads take reads from each other with atomic counters, and share an index
# that nobody changes any more; much of its time goes by in SSE instructions.
#
# ===----------------------------------------------------------------------===#

import os
import random

from harness import edit_function, include_header
from real import harness, input_file, quoted, script

NEEDED = ["make", "zlib1g-dev"]

GENOME = 300000
READ = 2000


def add_regions(tree):
    """A read that is mapped is a region.

    A bucket of the index that is sorted is another: the workers are the same.
    """
    path = os.path.join(tree, "kthread.c")
    edit_function(
        path,
        r"^static void \*ktf_worker\(",
        (
            r"w->t->func\(.*\);",
            r'{ __atsan_region_begin("kt_for"); \g<0> __atsan_region_end(); }',
            2,
        ),
    )
    include_header(path)
    # The first reads that are mapped find out what the processor can do, both at
    # once: a lost update between regions, seen in one run of 75.
    with open(os.path.join(tree, "ksw2_dispatch.c"), "a") as file:
        file.write(
            "__attribute__((constructor)) static void simd_before_threads(void)\n"
            "{ ksw_simd = x86_simd(); }\n"
        )


def letters():
    return random.Random(1).choices("ACGT", k=GENOME)


def genome():
    return (">genome\n%s\n" % "".join(letters())).encode()


def reads(number):
    """Pieces of the genome, of which about every tenth letter is wrong."""
    rng = random.Random(2)
    whole, lines = letters(), []
    for i in range(number):
        start = rng.randrange(GENOME - READ)
        read = whole[start : start + READ]
        for _ in range(READ // 10):
            # Another letter, none, or two.
            read[rng.randrange(READ)] = rng.choice(["A", "C", "G", "T", "", "GT"])
        lines.append(">read-%d\n%s\n" % (i, "".join(read)))
    return "".join(lines).encode()


def make(bench, program, build):
    """Maps reads: threads, reads."""
    h = harness(bench, program, build)
    h.packages_there("minimap2", NEEDED)
    tree = h.fresh_sources("minimap2")
    if build.regions:
        add_regions(tree)
    # Its makefile takes CC and CFLAGS only from the command line.
    flags = ["CC=" + h.compilers[0], "CFLAGS=" + h.flags]
    h.must(["make", "minimap2"] + flags, tree, 10, "build")
    input_file(bench, "genome", genome)
    for number in (program.arguments[1], program.short[1]):
        input_file(bench, "reads-" + number, lambda: reads(int(number)))
    binary = quoted(os.path.join(tree, "minimap2"))
    return script(
        bench,
        program,
        build,
        "cd %s\n" % quoted(bench.programs)
        + '%s -c -x map-ont -t "$1" genome reads-"$2" 2>log | cksum\n' % binary,
    )
