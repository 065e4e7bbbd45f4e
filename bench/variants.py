# ===- variants.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# What is measured: the table of programs and the table of builds. A new program
# or a new competitor is a new row here; bench/run needs no change.
#
# ===----------------------------------------------------------------------===#

import os
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import real
from foreign import minimap2, openjpeg, sqlite, squashfs, x264
from measure import HERE, check_names

# A way to build and run a program. `compiler`: a key of Bench.compilers.
Build = namedtuple("Build", "name compiler flags regions environment")

NATIVE = Build("native", "clang", [], 0, {})
TSAN = Build(
    "tsan",
    "clang",
    ["-fsanitize=thread"],
    0,
    # Its own defaults, but for a second of sleep at exit.
    {"TSAN_OPTIONS": "atexit_sleep_ms=0"},
)
# No region: what code costs that is instrumented and not checked.
IDLE = Build("atsan-no-region", "atsan", ["-fsanitize=atomicity"], 0, {})
# Each operation is a short region: what the sanitizer is for.
SHORT = Build("atsan-short-regions", "atsan", ["-fsanitize=atomicity"], 1, {})
# Every thread is always inside a region: the worst case.
ALWAYS = Build("atsan-always-in-region", "atsan", ["-fsanitize=atomicity"], 2, {})

BUILDS = [NATIVE, TSAN, IDLE, SHORT, ALWAYS]

# A program: bench/programs/<name>.cpp (or `sources`, relative to that folder), its
# arguments for a measurement and for a short check of everything, and the builds
# that make sense for it. ALWAYS only where it is serializable: where nothing is
# shared between two barriers.
#
# `make(bench, program, build)` returns the path of a program that is built in
# another way, such as by its own build system.
Program = namedtuple(
    "Program", "name arguments short builds sources make", defaults=(None, None)
)

_NO_ALWAYS = [NATIVE, TSAN, IDLE, SHORT]


def _real(name, arguments, short, builds, make):
    return Program(name, arguments, short, builds, make=real.maker(make))


PROGRAMS = [
    # threads, width of the grid, rounds
    Program("sor", ["2", "1500", "60"], ["2", "100", "5"], BUILDS),
    # threads, keys, operations per thread
    Program("map", ["2", "20000", "1500000"], ["2", "1000", "20000"], _NO_ALWAYS),
    # threads, accounts, operations per thread
    Program("bank", ["2", "1000", "300000"], ["2", "100", "20000"], _NO_ALWAYS),
    # threads, cities
    Program("tsp", ["2", "14"], ["2", "9"], _NO_ALWAYS),
    # threads, rows and columns
    Program("lufact", ["2", "700"], ["2", "60"], BUILDS),
    # threads, width of the image
    Program("raytracer", ["2", "900"], ["2", "60"], BUILDS),
    # threads, cells per side, steps
    Program("moldyn", ["2", "8", "15"], ["2", "4", "3"], BUILDS),
    # threads, paths, days
    Program("montecarlo", ["2", "12000", "1000"], ["2", "100", "100"], _NO_ALWAYS),
    # threads, floors, people
    Program("elevator", ["2", "20", "1000000"], ["2", "20", "10000"], _NO_ALWAYS),
    # threads, pages
    Program("hedc", ["2", "30000"], ["2", "500"], _NO_ALWAYS),
    # threads, stores, requests per thread
    Program("jigsaw", ["2", "16", "80000"], ["2", "8", "2000"], _NO_ALWAYS),
    # threads, size of an object, calls of each pair
    Program("stringbuffer", ["2", "32", "400"], ["2", "8", "3"], _NO_ALWAYS),
    Program("vector", ["2", "32", "200"], ["2", "8", "3"], _NO_ALWAYS),
    Program("stack", ["2", "32", "200"], ["2", "8", "3"], _NO_ALWAYS),
    Program("hashtable", ["2", "32", "400"], ["2", "8", "3"], _NO_ALWAYS),
    # threads, messages, rounds of work per stage
    Program("pipeline", ["3", "100000", "30"], ["3", "1000", "10"], _NO_ALWAYS),
    # threads, numbers, numbers of a block
    Program("sort", ["2", "1000000", "1000"], ["2", "5000", "500"], BUILDS),
    # threads, numbers
    Program("radix", ["2", "2000000"], ["2", "5000"], BUILDS),
    # threads, words, variety
    Program("words", ["2", "500000", "20000"], ["2", "5000", "500"], BUILDS),
    # threads, requests, keys
    Program("containers", ["2", "300000", "4000"], ["2", "3000", "100"], BUILDS),
    # threads, width as a power of two
    Program("fft", ["2", "11"], ["2", "5"], BUILDS),
    # threads, points, groups, dimensions
    Program("kmeans", ["2", "8000", "50", "3"], ["2", "300", "10", "3"], BUILDS),
    # threads, molecules, steps
    Program("water", ["2", "1000", "25"], ["2", "100", "3"], BUILDS),
    # threads, options, days
    Program("options", ["2", "3000", "300"], ["2", "30", "50"], _NO_ALWAYS),
    # threads, tasks, numbers for each
    Program("futures", ["2", "2000", "20000"], ["2", "50", "2000"], _NO_ALWAYS),
    # threads, messages for each pair
    Program("market", ["64", "8000"], ["64", "50"], _NO_ALWAYS),
    # threads, lines
    Program("regex", ["2", "8000"], ["2", "100"], BUILDS),
    # threads, documents
    Program("json", ["2", "5000"], ["2", "100"], BUILDS),
    # threads, MiB of text to compress and decompress
    _real("lbzip2", ["2", "16"], ["2", "1"], _NO_ALWAYS, real.make_lbzip2),
    _real("xz", ["2", "8"], ["2", "1"], [NATIVE, TSAN, IDLE], real.make_xz),
    _real("zstd", ["2", "16"], ["2", "1"], _NO_ALWAYS, real.make_zstd),
    # threads, operations per thread
    _real("leveldb", ["2", "60000"], ["2", "2000"], _NO_ALWAYS, real.make_leveldb),
    _real("memcached", ["2", "200000"], ["2", "2000"], _NO_ALWAYS, real.make_memcached),
    # threads, rows of each
    _real("sqlite", ["2", "20000"], ["2", "1000"], BUILDS, sqlite.make),
    # threads, reads
    _real("minimap2", ["2", "250"], ["2", "10"], _NO_ALWAYS, minimap2.make),
    # threads, pictures
    _real("x264", ["2", "6"], ["2", "1"], _NO_ALWAYS, x264.make),
    # threads that compress, MiB of files
    _real("squashfs", ["2", "16"], ["2", "1"], _NO_ALWAYS, squashfs.make),
    # threads, width of the image
    _real("openjpeg", ["2", "768"], ["2", "64"], _NO_ALWAYS, openjpeg.make),
]


def choose(parser, names, real=True):
    """The programs of these names, or all; without `real`, those of programs/."""
    known = {p.name: p for p in PROGRAMS}
    check_names(parser, "program", names, known)
    default = [p.name for p in PROGRAMS if real or not p.make]
    return [known[name] for name in names or default]


def build(bench, program, build):
    """Compiles one variant; returns the path of the program."""
    if program.make:
        return program.make(bench, program, build)
    sources = program.sources or [program.name + ".cpp"]
    flags = [] if sources[0].endswith(".c") else ["-std=c++17"]
    return bench.compile(
        build.compiler,
        [os.path.join(HERE, "programs", source) for source in sources],
        "%s.%s" % (program.name, build.name),
        # -DFIXED: programs with a known bug as their correct twin.
        flags + ["-O2", "-DFIXED", "-DREGIONS=%d" % build.regions] + build.flags,
    )


def build_all(bench, wanted):
    """Compiles the (program, build) of a list; {(program, build): path} by name."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = list(pool.map(lambda pair: build(bench, *pair), wanted))
    return {(p.name, b.name): path for (p, b), path in zip(wanted, paths)}
