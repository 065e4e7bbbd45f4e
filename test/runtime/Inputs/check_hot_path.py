# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of llvm-objdump -d: each function named on the command line must
be there, must contain neither call nor push, and may leave only by ret or by a jump
to another function (its rare path)."""

import re
import sys


def functions(lines):
    """Yields (name, [(mnemonic, operands)])."""
    name, body = None, []
    for line in lines:
        header = re.match(r"[0-9a-f]+ <([^>]+)>:$", line)
        if header:
            if name:
                yield name, body
            name, body = header.group(1), []
            continue
        instruction = re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*(.*)$", line)
        if instruction and name:
            body.append(instruction.groups())
    if name:
        yield name, body


def problems(name, body):
    if not body:
        yield "is empty"
    for mnemonic, operands in body:
        if mnemonic.startswith(("call", "push")):
            yield "contains '%s %s'" % (mnemonic, operands)
        if re.search(r"rsp", operands) and mnemonic.startswith("sub"):
            yield "makes a frame: '%s %s'" % (mnemonic, operands)
    leaves = [o for m, o in body if m.startswith("j") and "<%s+" % name not in o]
    returns = [m for m, o in body if m.startswith("ret")]
    if not returns:
        yield "has no path of its own that returns"
    if not leaves:
        yield "has no rare path: is this the function?"


found = dict(functions(sys.stdin.read().splitlines()))
bad = False
for wanted in sys.argv[1:]:
    if wanted not in found:
        print("%s: not found" % wanted)
        bad = True
        continue
    for problem in problems(wanted, found[wanted]):
        print("%s: %s" % (wanted, problem))
        bad = True
    if not bad:
        print("%s: %d instructions" % (wanted, len(found[wanted])))
sys.exit(1 if bad else 0)
