# ===- xz.py ---------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# XZ Utils: C, autoconf; encoder and decoder threads with mutexes and condition
# variables. Not annotated.
#
# ===----------------------------------------------------------------------===#

import re

from harness import no_report

NEEDED = ["make"]


def own_tests(h, tree):
    code, text, seconds = h.run(["make", "check"], tree, 20, "xz-check")
    total = re.search(r"^# TOTAL: *(\d+)", text, re.M)
    failed = re.findall(r"^# (?:FAIL|XPASS|ERROR): *([1-9]\d*)", text, re.M)
    h.check(
        "xz: its own tests, no regions",
        code == 0 and total and total.group(1) != "0" and not failed
        and no_report(text),
        "%s, %.0f s" % (total and total.group(1), seconds),
    )


def threads(h, tree):
    """Its tests hardly use threads: a round trip with four."""
    script = (
        "set -e; rm -rf atsan-t; mkdir atsan-t; tar -cf atsan-t/in src tests; "
        "src/xz/xz -T4 -1 --block-size=256KiB -k -c atsan-t/in >atsan-t/in.xz; "
        "src/xz/xz -T4 -d -c atsan-t/in.xz | cmp - atsan-t/in"
    )
    code, text, seconds = h.run(script, tree, 10, "xz-threads")
    h.check(
        "xz: a round trip with 4 threads",
        code == 0 and no_report(text),
        "%.0f s" % seconds,
    )


def configured(h, more=()):
    tree = h.fresh_sources("xz-utils")
    configure = ["./configure", "--quiet", "--disable-nls", "--disable-doc", *more]
    h.must(configure, tree, 5, "xz-configure", env=h.build_env())
    return tree


def run(h):
    tree = configured(h)
    h.must(["make", "-j2"], tree, 10, "xz-build")
    if not h.ci:
        own_tests(h, tree)
    threads(h, tree)
