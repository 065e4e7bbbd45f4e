#===- count-tests.py -------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
#
# usage: count-tests.py <log of test/real/run> {<results.xml> <suite>,...}...
#
# Adds up the records that `lit --xunit-xml-output` wrote, one for each LLVM, and
# the last line of test/real/run, and prints one line,
# `N passed, N failed, N skipped`. Fails when a test failed, when a record is
# missing, or when a record has no test that ran of one of its suites.
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


def count(path, suites):
    """The three numbers of a record, and whether it is whole."""
    passed, failed, skipped = 0, 0, 0
    seen = set()
    try:
        cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print("count-tests: error: lit left no record of its run:", error)
        return (0, 0, 0), False
    for case in cases:
        left_out = case.find("skipped")
        if left_out is not None:
            # What --filter leaves out is not to be run at all.
            skipped += not left_out.get("message", "").startswith("Test not selected")
            continue
        seen.add(case.get("classname").split(".")[0])
        if case.find("failure") is not None:
            failed += 1
        else:
            passed += 1
    lost = [suite for suite in suites if suite not in seen]
    if lost:
        print("count-tests: error: %s: no test ran of" % path, ", ".join(lost))
    return (passed, failed, skipped), not lost


def main(real_log, *records):
    counts = [(real_programs(real_log), True)]
    for path, suites in zip(records[::2], records[1::2]):
        counts.append(count(path, suites.split(",")))
    passed, failed, skipped = map(sum, zip(*(numbers for numbers, _ in counts)))
    is_whole = all(whole for _, whole in counts)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 0 if passed and not failed and is_whole else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
