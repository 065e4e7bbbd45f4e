# ===- abseil.py -----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Abseil: C++, CMake; locks of its own, made of atomics, futexes and queues, with
# annotations for ThreadSanitizer. Its locks are locks with one option.
#
# ===----------------------------------------------------------------------===#

import os
import re

from harness import HERE, VIOLATION, no_report

NEEDED = ["cmake", "ninja-build", "libgtest-dev"]

TESTS = [
    "absl_mutex_test", "absl_notification_test", "absl_blocking_counter_test",
    "absl_barrier_test",
]

# Tests that take another lock twice, or wait for others, while they hold one: as
# a region, that is not atomic.
NOT_ATOMIC = ["Mutex.MutexReaderWakeupBug", "Mutex.MutexReaderDecrementBug"]
# Tests that others repeat with more threads, or that wait for many seconds.
LONG = ["*/4", "*/10", "*.RW/*", "*.R20ms/*", "Mutex.CVTime", "Mutex.MuTime"]


def build(h, tree, tests):
    env = h.build_env()
    for flags in ["CFLAGS", "CXXFLAGS"]:
        env[flags] += " -fatomicity-tsan-annotations"
    command = ["cmake", "-G", "Ninja", "-S", ".", "-B", "b"]
    command += ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_STANDARD=17"]
    command += ["-DABSL_BUILD_TESTING=ON"]
    h.must(command, tree, 5, "abseil-configure", env=env)
    h.must(["ninja", "-j2", "-C", "b"] + tests, tree, 20, "abseil-build")


def own_tests(h, tree, tests, what, log, left_out=(), options=()):
    left_out = list(left_out) + (LONG if h.ci else [])
    passed, seconds, bad = 0, 0, []
    for test in tests:
        command = [os.path.join(tree, "b", "bin", test)]
        command.append("--gtest_filter=-" + ":".join(left_out))
        code, text, took = h.run(
            command, tree, 15, "%s-%s" % (log, test), options=options
        )
        count = re.search(r"^\[  PASSED  \] (\d+) test", text, re.M)
        passed += int(count.group(1)) if count else 0
        seconds += took
        if code != 0 or not count or not no_report(text):
            bad.append(test)
    h.check(
        "abseil: its own tests of locks, " + what,
        passed and not bad,
        "%d passed, %.0f s%s" % (passed, seconds, "; not: " * bool(bad) + " ".join(bad)),
    )


def libraries(tree):
    """Those of the tests, in the order in which the build links them."""
    with open(os.path.join(tree, "b", "build.ninja")) as file:
        rules = file.read()
    link = re.search(r"^build bin/absl_mutex_test:.*?\n\n", rules, re.M | re.S).group()
    line = re.search(r"LINK_LIBRARIES = (.*)", link).group(1)
    return [word for word in line.split() if not re.search("gtest|gmock", word)]


def locks(h, tree):
    """A program that uses the lock, correctly or not."""
    inputs = os.path.join(HERE, "Inputs")
    out = os.path.join(h.work, "absl-locks")
    # Not instrumented: it forces the schedule, and must stay out of the picture.
    h.must(
        [h.cxx, "-c", "-O1", os.path.join(inputs, "turns.cpp"), "-o", out + ".o"],
        tree,
        2,
        "abseil-turns",
    )
    h.must(
        [h.cxx, "-fsanitize=atomicity", "-fatomicity-tsan-annotations", "-g", "-O1"]
        + ["-std=c++17", "-I" + tree, os.path.join(inputs, "absl_locks.cpp"), out + ".o"]
        + libraries(tree)
        + ["-pthread", "-o", out],
        os.path.join(tree, "b"),
        2,
        "abseil-locks",
    )
    code, text, _ = h.run([out, "one-lock"], tree, 2, "abseil-one-lock")
    h.check(
        "abseil: one critical section of its lock is atomic, also after a wait",
        code == 0 and no_report(text) and "balance 0" in text,
        "exit code %s" % code,
    )
    code, text, _ = h.run([out], tree, 2, "abseil-two-locks")
    h.check(
        "abseil: look, unlock, lock, act: a violation is reported",
        code == VIOLATION
        and "AtomicitySanitizer: atomicity violation" in text
        and re.search(r"region 'withdrawal'", text)
        and re.search(r"lockedLook\(\)", text)
        and re.search(r"^SUMMARY: .* in .*\b(look|act)\(\)", text, re.M),
        "exit code %s" % code,
    )


def run(h):
    tree = h.fresh_sources("abseil")
    tests = TESTS[:1] if h.ci else TESTS
    build(h, tree, tests)
    own_tests(h, tree, tests, "no regions", "abseil-check")
    own_tests(
        h,
        tree,
        tests,
        "every critical section a region",
        "abseil-check-regions",
        left_out=NOT_ATOMIC,
        options=["critical_sections=1"],
    )
    locks(h, tree)
