#===- count-tests.py -------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# usage: count-tests.py <results.xml> <log of test/real/run> <suite>...
#
# Adds up the record that `lit --xunit-xml-output` wrote and the last line of
# test/real/run, and prints one line,
# `N passed, N failed, N skipped`. Fails when a test failed, or when no test of a
# named suite ran.
#
#===------------------------------------------------------------------------===#

import re
import sys
import xml.etree.ElementTree

LAST_LINE = r"(\d+) passed, (\d+) failed, (\d+) skipped"


def real_programs(path):
    """The three numbers in the last line of test/real/run."""
    try:
        with open(path) as log:
            last = log.read().splitlines()[-1]
        return [int(n) for n in re.fullmatch(LAST_LINE, last).groups()]
    except (OSError, IndexError, AttributeError):
        print("count-tests: error: test/real/run did not come to its end")
        return [0, 1, 0]


def main(path, real_log, suites):
    passed, failed, skipped = real_programs(real_log)
    seen = set()
    try:
        cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print("count-tests: error: lit left no record of its run:", error)
        cases = []
    for case in cases:
        if case.find("skipped") is not None:
            skipped += 1
            continue
        seen.add(case.get("classname").split(".")[0])
        if case.find("failure") is not None:
            failed += 1
        else:
            passed += 1
    lost = [suite for suite in suites if suite not in seen]
    if lost and cases:
        print("count-tests: error: no test ran of", ", ".join(lost))
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 0 if passed and not failed and not lost else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
