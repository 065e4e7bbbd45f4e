# ===- machine_code.py ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Puts a call in front of each instruction that accesses memory, in assembly of
# clang in Intel's syntax for x86-64. So nothing that code generation adds or
# expands is overlooked. recorder.c has what is called; it keeps all registers
# and flags. Compile with -mno-red-zone. An instruction that this file does not
# know is an error.
#
# ===----------------------------------------------------------------------===#

import re

SIZES = {
    "byte": 1,
    "word": 2,
    "dword": 4,
    "qword": 8,
    "tbyte": 10,
    "xword": 10,
    "xmmword": 16,
    "ymmword": 32,
    "zmmword": 64,
}

NO_ACCESS = re.compile(r"lea|nop|prefetch|clflush")
READ = re.compile(
    r"cmp(?!xchg)|test|bt$|v?u?comis|push|call|jmp|i?mul$|i?div$|f(i?ld|add|sub|mul"
    r"|div|i?com|u?com|iadd|isub|imul|idiv|ldcw)|ldmxcsr|vldmxcsr"
)
WRITE = re.compile(
    r"v?mov|set|v?pextr|v?extract|vextract|vcvtps2ph|kmov|pop|f(i?stp?|isttp|n?stcw)$"
    r"|v?stmxcsr|vpmov|vpmask|vmask|vpcompress|vcompress"
)
UPDATE = re.compile(
    r"add|sub|and|or$|xor|adc|sbb|inc|dec|neg|not|sh[lr]|sa[lr]|ro[lr]|rc[lr]|xchg"
    r"|xadd|cmpxchg|bt[src]$"
)
MEMORY = re.compile(r"(?:(\w+) ptr )?((?:\w\w:)?)\[([^]]*)\](\{1to\d+\})?")
MASK = re.compile(r"\{(k[1-7])\}")
VECTOR = re.compile(r"([xyz]mm)(\d+)")
WIDTH = {"x": 16, "y": 32, "z": 64}


def element_size(mnemonic):
    """Of a masked instruction, by the end of its name."""
    for pattern, size in (
        (r"(64|q|pd|sd|64x\d)$", 8),
        (r"(32|d|ps|ss|32x\d)$", 4),
        (r"(16|w|ph)$", 2),
        (r"(8|b)$", 1),
    ):
        if re.search(pattern, mnemonic):
            # vpmovdb and its like: the last letter says what is in memory.
            return size
    raise ValueError("of which size are the lanes of %s?" % mnemonic)


def call(name, address, before=()):
    # The push moves rsp, not the address.
    address = re.sub(r"\brsp\b", "rsp + 8", address)
    lines = ["push rdi", "lea rdi, [%s]" % address, *before, "call " + name, "pop rdi"]
    return "\n".join(lines)


def set_word(name, value):
    return "mov dword ptr [rip + witness_%s], %d" % (name, value)


def masked(mnemonic, operands, memory, mask, is_write):
    element = element_size(mnemonic)
    # As many lanes as the mask has, one beside the other.
    packed = re.match(r"vp?expand|vp?compress", mnemonic)
    count = SIZES[memory.group(1)] // element
    if memory.group(4):
        count, element = 1, SIZES[memory.group(1)]
    return call(
        "witness_masked_write" if is_write else "witness_masked_read",
        memory.group(3),
        [
            "kmovq qword ptr [rip + witness_mask], " + mask,
            set_word("element", element),
            set_word("count", count),
            *(["call witness_pack_lanes"] if packed else []),
        ],
    )


def masked_by_vector(mnemonic, operands, memory, is_write):
    """AVX: vpmaskmovd ymm0, ymm1, [m] or [m], ymm1, ymm0. The mask is in the middle."""
    mask = operands[1]
    element = 8 if mnemonic.endswith(("q", "pd")) else 4
    use = [
        "vmovdqu %s ptr [rip + witness_lanes], %s" % (mask[:3] + "word", mask),
        set_word("element", element),
        set_word("count", SIZES[memory.group(1)] // element),
        "call witness_use_lanes",
    ]
    name = "witness_masked_write" if is_write else "witness_masked_read"
    return call(name, memory.group(3), use)


def indexed(mnemonic, text, operands, memory, is_write):
    """Gathers and scatters: the address has a vector of indices."""
    index_size = {"d": 4, "q": 8}[re.search(r"(?:gather|scatter)([dq])", mnemonic).group(1)]
    element = 8 if mnemonic.endswith(("q", "pd")) else 4
    terms = [t.strip() for t in re.split(r"\s\+\s", memory.group(3))]
    vector = next(t for t in terms if VECTOR.search(t))
    scale = re.search(r"(\d)\*", vector)
    kind, _ = VECTOR.search(vector).groups()
    register = VECTOR.search(vector).group(0)
    base = " + ".join(t for t in terms if t != vector) or "0"
    if " - " in base and not re.match(r"\w+", base):
        raise ValueError(text)
    others = [VECTOR.search(o) for o in operands if "[" not in o and VECTOR.search(o)]
    lanes = WIDTH[kind[0]] // index_size
    lanes = min(lanes, WIDTH[others[0].group(1)[0]] // element)
    before = [
        "vmovdqu%s %sword ptr [rip + witness_indices], %s"
        % ("64" if MASK.search(text) else "", kind, register),
        set_word("element", element),
        set_word("count", lanes),
        set_word("index_size", index_size),
        set_word("scale", int(scale.group(1)) if scale else 1),
    ]
    mask = MASK.search(text)
    if mask:
        before.insert(0, "kmovq qword ptr [rip + witness_mask], " + mask.group(1))
    else:
        before.append(
            "vmovdqu %sword ptr [rip + witness_lanes], %s"
            % (operands[2][:3], operands[2])
        )
        before.append("call witness_use_lanes")
    return call("witness_scatter" if is_write else "witness_gather", base, before)


def split_operands(text):
    return [part.strip() for part in text.split(",")]


def witness(mnemonic, text):
    """What to put in front of the instruction, or None."""
    # The compiler may merge fences; this one only comes from inline assembly.
    if mnemonic == "sfence":
        return call("witness_fence", "rsp")
    if re.match(r"(rep\w*\s+)?(movs[bwdq]|stos[bwdq]|lods|scas|cmps[bwdq])$", mnemonic):
        if "[" in text and "xmm" not in text:
            raise ValueError("string instruction: %s %s" % (mnemonic, text))
    memory = MEMORY.search(text)
    if not memory or NO_ACCESS.match(mnemonic) or memory.group(2) == "fs:":
        return None
    if not memory.group(1):
        raise ValueError("no size: %s %s" % (mnemonic, text))
    operands = split_operands(text)
    is_first = "[" in operands[0]
    if "gather" in mnemonic or "scatter" in mnemonic:
        return indexed(mnemonic, text, operands, memory, is_first)
    if is_first:
        kinds = [k for k, r in (("read", READ), ("write", WRITE), ("update", UPDATE))
                 if r.match(mnemonic)]
        if len(kinds) != 1:
            raise ValueError("read or write? %s %s" % (mnemonic, text))
        kind = kinds[0]
    else:
        kind = "update" if mnemonic in ("xchg", "xadd") else "read"
    mask = MASK.search(text)
    if mask and not re.match(r"vp?cmp", mnemonic):
        return masked(mnemonic, operands, memory, mask.group(1), kind == "write")
    if re.match(r"vp?maskmov", mnemonic):
        return masked_by_vector(mnemonic, operands, memory, kind == "write")
    return call("witness_%s%d" % (kind, SIZES[memory.group(1)]), memory.group(3))


INSTRUCTION = re.compile(r"\t(?:\{vex\}\t)?((?:lock\s+|rep\w*\s+|notrack\s+)?[a-z]\w*)(?:\s+(.*))?$")
PREFIX = re.compile(r"(lock|notrack)\s+")
cache = {}


def instrument(assembly, accesses=True):
    """Without accesses: only the fences that end intervals."""
    result = []
    for line in assembly.splitlines():
        if (accesses and "[" in line and line[:1] == "\t" and line[1:2] != ".") or "sfence" in line:
            code = line.split("#", 1)[0].rstrip()
            before = cache.get(code, "")
            if before == "":
                match = INSTRUCTION.match(code)
                if not match:
                    raise ValueError("no instruction: %r" % line)
                mnemonic = PREFIX.sub("", match.group(1))
                before = cache[code] = witness(mnemonic, match.group(2) or "")
            if before:
                result.append(before)
        result.append(line)
    return "\n".join(result) + "\n"


if __name__ == "__main__":
    import sys

    sys.stdout.write(instrument(sys.stdin.read()))
