# ===- damage_last_block.py -----------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Changes the last record of the main thread's last block of a trace.

    damage_last_block.py TRACE
"""

import struct
import sys

with open(sys.argv[1], "r+b") as trace:
    data = trace.read()
    end = struct.unpack_from("<Q", data, 40)[0]
    at, last = 4096, None
    while at < end:
        size, thread = struct.unpack_from("<II", data, at + 8)
        if thread == 0:
            last = at + 64 + struct.unpack_from("<Q", data, at + 32)[0] - 1
        at += size
    trace.seek(last)
    trace.write(bytes([data[last] ^ 1]))
