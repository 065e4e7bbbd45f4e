# ===- thread_pool.py ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# ThreadPool: C++, header-only, CMake. Every critical section is a region; no line
# is changed.
#
# ===----------------------------------------------------------------------===#

from gated import check_program

NEEDED = ["cmake", "ninja-build", "libgtest-dev"]


def build(h, tree, env, log):
    command = ["cmake", "-G", "Ninja", "-B", "b", "-DCMAKE_BUILD_TYPE=None"]
    h.must(command, tree, 5, log + "-configure", env=env)
    h.must(["ninja", "-j2", "-C", "b"], tree, 10, log)


def flags(tree):
    return ["-I" + tree + "/include"]


def run(h):
    tests = ["b/bin/thread_pool_test"]
    check_program(
        h,
        "libthread-pool",
        build,
        tests,
        "planted_thread_pool.cpp",
        flags,
        options=["critical_sections=1"],
    )
