# ===- memcached.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# memcached: C, autoconf, libevent; a server with striped locks, a slab allocator,
# LRU lists, background threads. Its tests start hundreds of servers.
#
# ===----------------------------------------------------------------------===#

import os
import re

from harness import edit_function, include_header, no_report

NEEDED = ["make", "libevent-dev", "perl"]

CI_TESTS = ["binary.t", "getset.t", "lru.t", "metaget.t", "stats.t", "touch.t"]


def own_tests(h, tree, what, log):
    tests = " ".join("t/" + name for name in CI_TESTS) if h.ci else "t"
    # What `make test` does, without its coverage part.
    command = "./sizes && ./testapp && prove -j 2 " + tests
    code, text, seconds = h.run(command, tree, 20, log)
    files = re.search(r"^Files=(\d+), Tests=(\d+)", text, re.M)
    h.check(
        "memcached: its own tests, " + what,
        code == 0 and files and "Result: PASS" in text and no_report(text),
        "%s files, %s tests, %.0f s"
        % (files and files.group(1), files and files.group(2), seconds),
    )


def add_regions(tree):
    """Marks operations that are one critical section each."""
    lock = r"^( +)(pthread_mutex_lock\(.*\);)"
    unlock = r"^( +)(pthread_mutex_unlock\(.*\);)"
    operations = {
        "cache.c": [r"void\* cache_alloc", "void cache_free"],
        "items.c": [
            "static void item_link_q",
            "static void item_link_q_warm",
            "static void item_unlink_q",
        ],
        "slabs.c": [r"void \*slabs_alloc", "void slabs_free"],
        "thread.c": [r"static CQ_ITEM \*cq_pop", "static void cq_push"],
    }
    for file, heads in operations.items():
        path = os.path.join(tree, file)
        for head in heads:
            name = re.search(r"\w+$", head).group()
            edit_function(
                path,
                r"^%s\([^;]*\{" % head,
                (lock, r'\1\2 __atsan_region_begin("%s");' % name, 1),
                (unlock, r"\1__atsan_region_end(); \2", 1),
            )
        include_header(path)


def run(h):
    tree = h.fresh_sources("memcached")
    configure = ["./configure", "--quiet", "--disable-coverage"]
    h.must(configure, tree, 5, "memcached-configure", env=h.build_env())
    h.must(["make", "-j2"], tree, 10, "memcached-build", env=h.build_env())
    own_tests(h, tree, "no regions", "memcached-check")
    add_regions(tree)
    h.must(["make", "-j2"], tree, 10, "memcached-build-regions", env=h.build_env())
    own_tests(h, tree, "regions in four modules", "memcached-check-regions")
