# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of llvm-objdump -d: in each function whose name contains one of the
words on the command line, the frame pointer is that of the caller where it is copied:
it was not changed before. Such functions must be there."""

import re
import sys

WRITES = re.compile(r"%(rbp|ebp|bpl?)$")
COPY = re.compile(r"%rbp, %r\w+$")

found = {word: 0 for word in sys.argv[1:]}
bad = False
wanted, name, copied = None, None, False
for line in sys.stdin.read().splitlines() + ["0 <end>:"]:
    header = re.match(r"[0-9a-f]+ <([^>]+)>:$", line)
    if header:
        if wanted and not copied:
            print("%s: does not copy its caller's frame pointer" % name)
            bad = True
        name, copied = header.group(1), False
        wanted = next((word for word in found if word in name), None)
        if wanted:
            found[wanted] += 1
        continue
    instruction = re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*(.*)$", line)
    if not instruction or not wanted or copied:
        continue
    mnemonic, operands = instruction.groups()
    if mnemonic.startswith("mov") and COPY.match(operands):
        copied = True
    elif WRITES.search(operands) and not mnemonic.startswith(("push", "cmp", "test")):
        print("%s: changes the frame pointer: %s %s" % (name, mnemonic, operands))
        bad, copied = True, True
for word, count in found.items():
    print("%s: %d functions" % (word, count))
    bad = bad or not count
sys.exit(1 if bad else 0)
