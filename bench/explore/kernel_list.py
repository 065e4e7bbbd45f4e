# ===- kernel_list.py -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# The kernels of bench/explore, and how they are built: THE list of them.
#
# ===----------------------------------------------------------------------===#

import os
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

from measure import ROOT

FOLDER = os.path.join(ROOT, "bench", "explore")

# `threads`: the kernel has a size, which is this one.
Kernel = namedtuple("Kernel", "source threads", defaults=(None,))


def name_of(kernel):
    return kernel.source + ("" if kernel.threads is None else " %d" % kernel.threads)


KERNELS = {
    name_of(kernel): kernel
    for kernel in [
        Kernel("aba_stack"),
        Kernel("audit"),
        Kernel("bank_account"),
        Kernel("barrier_reuse"),
        Kernel("bluetooth"),
        Kernel("bounded_buffer"),
        Kernel("cache_lookup"),
        Kernel("circular_buffer"),
        Kernel("double_checked"),
        Kernel("hash_resize"),
        Kernel("iterator"),
        Kernel("lazy_init"),
        Kernel("log_rotation"),
        Kernel("lost_update"),
        Kernel("lost_wakeup"),
        Kernel("peterson"),
        Kernel("philosophers", 3),
        Kernel("philosophers", 5),
        Kernel("queue"),
        Kernel("reader_writer"),
        Kernel("reference_count"),
        Kernel("reorder", 4),
        Kernel("reorder", 20),
        Kernel("ring_buffer"),
        Kernel("semaphore"),
        Kernel("sequence_lock"),
        Kernel("shutdown"),
        Kernel("stack"),
        Kernel("start_order"),
        Kernel("string_buffer"),
        Kernel("tickets"),
        Kernel("token_ring"),
        Kernel("transfer_deadlock"),
        Kernel("two_stage", 2),
        Kernel("two_stage", 20),
        Kernel("two_stage", 50),
        Kernel("two_stage", 100),
        Kernel("use_after_free"),
        Kernel("work_stealing_queue"),
        Kernel("wrong_lock", 2),
        Kernel("wrong_lock", 8),
    ]
}

COMMON = ["-std=c++20", "-fsanitize=atomicity", "-I", ROOT]
ATSAN = COMMON + ["-O1"]


def scheduled(level):
    """The flags for exploration, at a level of optimization."""
    return COMMON + [level, "-fatomicity-schedule"]


SCHEDULED = scheduled("-O1")
NOISY = ATSAN + ["-fsanitize-coverage=trace-loads,trace-stores"]
WRAPPED = ["-Wl,--wrap=pthread_mutex_lock", "-Wl,--wrap=pthread_mutex_unlock"]

# What a kernel is compiled to: for exploration with its bug and without, the bug
# without regions, and for stress and noise.
Variant = namedtuple("Variant", "name flags main")
BUG = Variant("bug", SCHEDULED, "main")
TWIN = Variant("twin", SCHEDULED + ["-DFIXED"], "main")
UNMARKED = Variant("unmarked", SCHEDULED + ["-DNO_REGIONS"], "main")
NOISE = Variant("noise", NOISY, "main-noise")


class Builder:
    """Compiles kernels; what they have in common, once."""

    def __init__(self, bench, keep=False):
        """`keep`: what was built before is taken as it is."""
        self.bench = bench
        self.keep = keep
        self.objects = {
            "main": [self._object("main", "atsan", SCHEDULED)],
            "main-noise": [
                self._object("main", "atsan", ATSAN, "main-noise"),
                self._object("noise", "clang", ["-std=c++20", "-O1"]),
            ],
        }

    def _object(self, source, compiler, flags, name=None):
        path = os.path.join(FOLDER, source + ".cpp")
        return self.bench.compile(compiler, path, (name or source) + ".o", [*flags, "-c"])

    def build(self, kernel, variant, source=None):
        """Returns the program's path; `source`: other text than the kernel's own."""
        flags = list(variant.flags)
        if kernel.threads is not None:
            flags.append("-DTHREADS=%d" % kernel.threads)
        libraries = self.objects[variant.main] + (WRAPPED if variant is NOISE else [])
        source = source or os.path.join(FOLDER, "kernels", kernel.source + ".cpp")
        name = "%s.%s" % (name_of(kernel).replace(" ", "-"), variant.name)
        path = os.path.join(self.bench.programs, name)
        if self.keep and os.path.exists(path):
            return path
        return self.bench.compile("atsan", source, name, flags, libraries)

    def build_all(self, kernels, variants):
        """{(kernel, variant's name): path}."""
        wanted = [(k, v) for k in kernels for v in variants]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            paths = pool.map(lambda pair: self.build(*pair), wanted)
        return {(k, v.name): path for (k, v), path in zip(wanted, paths)}
