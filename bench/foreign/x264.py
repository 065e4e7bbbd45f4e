# ===- x264.py -------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# x264: C, its own configure script; compresses video. Each thread of a pool encodes
# a part of a picture, and the main thread decides what is next.
#
# ===----------------------------------------------------------------------===#

import os
import random

from harness import edit_function, include_header
from real import harness, input_file, quoted, script

NEEDED = ["make"]

WIDTH, HEIGHT = 352, 288


def add_regions(tree):
    """A macroblock, 16 by 16 points, is a region: choosing and writing its code.

    It is atomic, since nobody changes what it reads of earlier pictures. With a
    thread for each picture, which is the default, it would not be: when a picture
    begins, the main thread copies most of the last encoder, macroblock and all,
    while its thread is in the middle of one (thread_sync_context). ThreadSanitizer
    sees data races there. So the threads share each picture instead.
    """
    path = os.path.join(tree, "encoder", "encoder.c")
    edit_function(
        path,
        r"^static intptr_t slice_write\(",
        (r"^ +/\* load cache \*/", r'__atsan_region_begin("macroblock");\n\g<0>', 1),
        (r"^ +int total_bits = .*;", r"__atsan_region_end();\n\g<0>", 1),
    )
    include_header(path)


def video(pictures):
    """Pictures of a cloudy background that moves, with some noise: Y, U, V."""
    rng = random.Random(1)
    size = 512
    waves = [rng.randrange(256) for _ in range(64)]
    cloud = [
        bytes(
            (waves[(x >> 4) & 63] + waves[(y >> 3) + (x >> 5) & 63] + (x * y >> 7)) // 3 & 255
            for x in range(size)
        )
        for y in range(size)
    ]
    noise = bytes(rng.randrange(256) for _ in range(WIDTH * 16))
    out = []
    for t in range(pictures):
        for y in range(HEIGHT):
            # A strip of noise, as long as the picture is wide, falls down.
            row = cloud[(y + t) % size][2 * t % 128 :][:WIDTH]
            band = (y - 3 * t) % HEIGHT
            out.append(noise[band * WIDTH :][:WIDTH] if band < 16 else row)
        for plane in range(2):
            for y in range(HEIGHT // 2):
                out.append(cloud[(2 * y + 99 * plane + t) % size][t % 128 :][: WIDTH // 2])
    return b"".join(out)


def make(bench, program, build):
    """Compresses a video: threads, pictures."""
    h = harness(bench, program, build)
    h.packages_there("x264", NEEDED)
    tree = h.fresh_sources("x264")
    if build.regions:
        add_regions(tree)
    # Without assembler code, which no sanitizer sees, and readers of other formats.
    without = ["asm", "opencl", "avs", "swscale", "lavf", "ffms", "gpac", "lsmash"]
    configure = ["./configure", "--bit-depth=8", "--chroma-format=420"]
    configure += ["--disable-" + name for name in without]
    h.must(configure, tree, 5, "configure", env=h.build_env())
    h.must(["make", "x264"], tree, 20, "build")
    for number in (program.arguments[1], program.short[1]):
        input_file(bench, "video-" + number, lambda: video(int(number)))
    run = quoted(os.path.join(tree, "x264")) + " --quiet --no-progress"
    # The tree of macroblocks would share a buffer with threads that filter: a race
    # on which the result may depend.
    run += " --no-mbtree --sliced-threads --threads $1"
    run += " --demuxer raw --input-csp i420 --input-res %dx%d" % (WIDTH, HEIGHT)
    return script(
        bench,
        program,
        build,
        # The main thread goes on while the others filter their last rows: data
        # races, which ThreadSanitizer is not to spend time on.
        'export TSAN_OPTIONS="$TSAN_OPTIONS report_bugs=0"\n'
        + "%s --muxer raw -o - %s/video-$2 | cksum\n" % (run, quoted(bench.programs)),
    )
