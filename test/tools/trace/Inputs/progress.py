# Runs `atsan trace stats -` with stderr on a terminal, and feeds it until it
# shows how far it is.

import os
import pty
import subprocess
import sys
import threading
import time

master, slave = pty.openpty()
tool = subprocess.Popen(
    [sys.argv[1], "trace", "stats", "-"],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=slave,
)
os.close(slave)
seen = bytearray()
shown = threading.Event()


def read():
    while True:
        try:
            some = os.read(master, 4096)
        except OSError:  # The other side is closed.
            return
        if not some:
            return
        seen.extend(some)
        if b"counting: " in seen:
            shown.set()


reader = threading.Thread(target=read)
reader.start()
deadline = time.monotonic() + 100
block = b"T1|r(x)|1\n" * 1000
while not shown.is_set() and time.monotonic() < deadline:
    tool.stdin.write(block)
    tool.stdin.flush()
tool.stdin.close()
out = tool.stdout.read()
code = tool.wait()
reader.join()
assert code == 0, code
assert b"M events" in seen, bytes(seen)
assert seen.endswith(b"\r\x1b[K"), bytes(seen[-80:])
assert b"events" in out, out
