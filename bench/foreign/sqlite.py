# ===- sqlite.py -----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# SQLite: C, one file of 240,000 lines that a Tcl script puts together. Its program
# is ours: threads with a database each, a region for each statement.
#
# ===----------------------------------------------------------------------===#

import os
from collections import defaultdict
from threading import Lock

from measure import FLAGS, HERE
from real import VariantHarness, quoted, script

NEEDED = ["make", "tcl"]

# The regions are in the program, and the library takes a minute: variants with the
# same flags share one, which the first of them builds.
_locks = defaultdict(Lock)
_trees = {}


def library(bench, build):
    """Builds the library with a variant's flags; returns the harness and the folder."""
    key = "sqlite-library." + "".join(build.flags or ["native"])
    h = VariantHarness(bench, build, key)
    with _locks[key]:
        if key not in _trees:
            h.packages_there("sqlite3", NEEDED)
            tree = h.fresh_sources("sqlite3")
            configure = ["./configure", "--quiet", "--disable-tcl", "--disable-shared"]
            h.must(configure, tree, 5, "configure", env=h.build_env())
            # The second of two counters that all threads would share
            # (programs/sqlite_statements.cpp has the first).
            options = "OPTS=-DSQLITE_DISABLE_PAGECACHE_OVERFLOW_STATS"
            h.must(["make", "libsqlite3.la", options], tree, 20, "build")
            _trees[key] = tree
    return h, _trees[key]


def make(bench, program, build):
    """Threads with a database in memory: threads, rows of each."""
    h, tree = library(bench, build)
    binary = os.path.join(bench.programs, "sqlite_statements." + build.name)
    command = [h.compilers[1], *FLAGS, *h.flags.split(), "-std=c++17", "-I", tree]
    command += ["-DREGIONS=%d" % build.regions]
    source = os.path.join(HERE, "programs", "sqlite_statements.cpp")
    archive = os.path.join(tree, ".libs", "libsqlite3.a")
    bench.must([*command, source, archive, "-ldl", "-lm", "-o", binary])
    return script(bench, program, build, 'exec %s "$@"\n' % quoted(binary))
