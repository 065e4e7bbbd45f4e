# make_trace.py FILE < EVENTS: writes a binary trace, from docs/trace-format.md alone.
#
# A line for each event: thread, kind, address, size, location (0 where missing);
# "atomic" at the end. Every event has a block of its own.

import struct
import sys

KINDS = (
    "read write read-modify-write birth death pointer region-begin region-end restart "
    "acquire release acquire-shared release-shared start join end barrier-arrive "
    "barrier-leave wait"
).split()
FULL, LAST = 0x2B4655464C464C2B, 0x214C4153544C4121


def checksum(data, seed=0):
    h = 0xCBF29CE484222325 ^ seed
    data += b"\0" * (8 - len(data) % 8)
    for (word,) in struct.iter_unpack("<Q", data):
        h = (h ^ word) * 0x100000001B3 % 2**64
    return h


def number(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def difference(d):
    d = (d + 2**63) % 2**64 - 2**63
    return number((d << 1 ^ d >> 63) % 2**64)


def event(kind, address=0, size=0, location=0, atomic=False):
    site = location * 2 << 7 | atomic << 5 | KINDS.index(kind)
    return b"\x47" + number(site) + difference(size) + difference(address)


def block(thread, first_run, records, state):
    size = 64 + (len(records) + 7) // 8 * 8
    head = struct.pack("<QII", 0x6B636F6C42745341, size, thread)
    changing = struct.pack("<QQQ", first_run, len(records), state)
    records_sum = checksum(records, checksum(changing))
    head += struct.pack("<Q", checksum(head)) + changing
    head += struct.pack("<QQ", records_sum, 0)
    return head + records.ljust(size - 64, b"\0")


events = []
for line in sys.stdin:
    words = line.split()
    atomic = words[-1] == "atomic"
    numbers = [int(w, 0) for w in words[2 : len(words) - atomic]]
    events.append((int(words[0]), event(words[1], *numbers, atomic=atomic)))
last_of = {thread: run for run, (thread, _) in enumerate(events, 1)}
runs, blocks = {}, b""
for run, (thread, records) in enumerate(events, 1):
    first = runs.get(thread, run)
    if first != run:
        records = b"\xbf" + number(run - first) + records
    runs[thread] = run
    blocks += block(thread, first, records, LAST if run == last_of[thread] else FULL)
head = b"AtSanTr1" + struct.pack("<IIQQ", 0x01020304, 1, 0, 0)
head += struct.pack("<QQQ", checksum(head), 4096 + len(blocks), 0)
with open(sys.argv[1], "wb") as file:
    file.write(head.ljust(4096, b"\0") + blocks)
