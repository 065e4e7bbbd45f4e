# ===- openjpeg.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# OpenJPEG: C, CMake; compresses and decompresses images. A pool of threads takes
# rows, columns and blocks of an image from a queue.
#
# ===----------------------------------------------------------------------===#

import os
import random

from harness import edit_function, include_header
from real import harness, input_file, quoted, script

NEEDED = ["cmake", "make"]


def add_regions(tree):
    """A job of the pool is a region: some rows or columns, or a block."""
    path = os.path.join(tree, "src", "lib", "openjp2", "thread.c")
    edit_function(
        path,
        r"^static void opj_worker_thread_function\([^;]*\{",
        (
            r"job->job_fn\(job->user_data, tls\);",
            r'__atsan_region_begin("job"); \g<0> __atsan_region_end();',
            1,
        ),
    )
    include_header(path)


def image(width):
    """A square image of red, green and blue: slopes, edges and some noise."""
    rng = random.Random(1)
    out = bytearray(b"P6\n%d %d\n255\n" % (width, width))
    for y in range(width):
        for x in range(width):
            edge = 80 if (x // 64 + y // 48) % 3 == 0 else 0
            noise = rng.getrandbits(3)
            for colour in (x, y, x + y):
                out.append((colour // 4 + edge + noise) % 256)
    return bytes(out)


def make(bench, program, build):
    """Compresses and decompresses an image: threads, width."""
    h = harness(bench, program, build)
    h.packages_there("openjpeg2", NEEDED)
    tree = h.fresh_sources("openjpeg2")
    if build.regions:
        add_regions(tree)
    command = ["cmake", "-S", ".", "-B", "b", "-DCMAKE_BUILD_TYPE=None"]
    command += ["-DBUILD_SHARED_LIBS=OFF", "-DBUILD_THIRDPARTY=OFF"]
    h.must(command, tree, 5, "configure", env=h.build_env())
    targets = ["opj_compress", "opj_decompress"]
    h.must(["make", "-C", "b"] + targets, tree, 10, "build")
    for width in (program.arguments[1], program.short[1]):
        input_file(bench, "image-%s.ppm" % width, lambda: image(int(width)))
    binaries = quoted(os.path.join(tree, "b", "bin"))
    return script(
        bench,
        program,
        build,
        "cd %s\n" % quoted(h.work)
        + '%s/opj_compress -threads "$1" -i %s/image-"$2".ppm -o packed.j2k >log\n'
        % (binaries, quoted(bench.programs))
        + '%s/opj_decompress -threads "$1" -i packed.j2k -o image.ppm >log\n' % binaries
        + "cat packed.j2k image.ppm | cksum\n",
    )
