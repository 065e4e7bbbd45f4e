# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of llvm-objdump -d. Fails unless the beginning of a region has no
locked instruction, and looks at the gate after it has stored its own_min; and its end
has none."""

import re
import sys

bodies = {}
for line in sys.stdin:
    header = re.match(r"[0-9a-f]+ <([^>]+)>:$", line)
    if header:
        body = bodies.setdefault(header.group(1), [])
    elif line.strip() and bodies:
        body.append(line)

begin = bodies["__atsan_region_begin"]
end = bodies["__atsan_region_end"]


def places(body, pattern):
    return [i for i, line in enumerate(body) if re.search(pattern, line)]


for name, body in (("begin", begin), ("end", end)):
    locked = places(body, r"\block\b|\bxchg|mfence")
    if locked:
        sys.exit("%s: %d locked instructions" % (name, len(locked)))

liveness, gate = places(begin, "slot_liveness"), places(begin, "__atsan_gate")
if len(liveness) != 1 or len(gate) != 1:
    sys.exit("begin: slot_liveness or the gate is mentioned more or less than once")
register = re.search(r"%(\w+)\s*#", begin[liveness[0]]).group(1)
stores = places(begin[liveness[0] :], r"mov\w*\s+[%$]\w+, .*\(.*%" + register)
if not stores or not liveness[0] < liveness[0] + max(stores) < gate[0]:
    sys.exit("begin: the gate is looked at before own_min is stored")
print("looks at the gate behind its stores")
