# ===- libuv.py ------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# libuv: C, CMake; event loops, a thread pool, processes, signals, sockets. Not
# annotated. What its tests can do depends on the machine (IPv6, multicast, a
# terminal), so the same tests are run natively, too.
#
# ===----------------------------------------------------------------------===#

import os
import re

from harness import no_report

NEEDED = ["cmake", "ninja-build"]

# Tests of the parts with threads, quick ones.
CI_TESTS = [
    "thread_create", "thread_mutex", "thread_rwlock", "thread_local_storage",
    "condvar_1", "condvar_3", "semaphore_1", "barrier_1", "once",
    "threadpool_queue_work_simple", "async", "spawn_and_kill", "tcp_ping_pong",
]


def results(h, tree, what, log, env):
    """Builds in its own folder; returns the outcome of each test by name."""
    build = ["cmake", "-G", "Ninja", "-S", ".", "-B", what]
    h.must(build + ["-DCMAKE_BUILD_TYPE=None"], tree, 5, log + "-configure", env=env)
    h.must(["ninja", "-j2", "-C", what, "uv_run_tests"], tree, 15, log + "-build")
    program = os.path.join(tree, what, "uv_run_tests")
    outcomes = {}
    texts = []
    for test in CI_TESTS if h.ci else [None]:
        command = [program] + ([test, test] if test else [])
        code, text, _ = h.run(command, tree, 30, log, env={"UV_RUN_AS_ROOT": "1"})
        texts.append(text)
        if test:
            outcomes[test] = "ok" if code == 0 else "not ok"
        else:
            for word, name in re.findall(
                r"^(ok|not ok) \d+ - (\S+)(?! # SKIP)", text, re.M
            ):
                outcomes[name] = word
    return outcomes, "".join(texts)


def run(h):
    tree = h.fresh_sources("libuv1")
    native, _ = results(
        h, tree, "native", "libuv-native", {"CC": h.native_cc, "CFLAGS": "-g -O2"}
    )
    checked, text = results(h, tree, "checked", "libuv-check", h.build_env())
    worse = sorted(
        name
        for name, outcome in native.items()
        if outcome == "ok" and checked.get(name) != "ok"
    )
    h.check(
        "libuv: its own tests, no regions: what passes natively passes",
        len(native) >= len(CI_TESTS) and not worse and no_report(text),
        "%d of %d natively, %d with the sanitizer%s"
        % (
            sum(outcome == "ok" for outcome in native.values()),
            len(native),
            sum(outcome == "ok" for outcome in checked.values()),
            "; worse: " + " ".join(worse) if worse else "",
        ),
    )
