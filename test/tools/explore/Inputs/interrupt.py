#!/usr/bin/env python3
# ===- interrupt.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# usage: interrupt.py SIGNAL JSON COMMAND...
#
# Runs `atsan explore --json=JSON`, sends the signal when the file has a finding and a
# run is on its way, and prints how it ended, and what it has left running.

import glob
import os
import signal
import subprocess
import sys
import time

name, log, command = sys.argv[1], sys.argv[2], sys.argv[3:]
# lit ignores SIGINT in what runs its tests, nohup SIGHUP, and who inherits that goes on
# ignoring it.
explore = subprocess.Popen(
    command, stdout=subprocess.PIPE, text=True,
    preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_DFL))


def children(pid):
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as file:
                # "8 (name with spaces) S 7 ...", where 7 is the parent.
                if file.read().rsplit(")", 1)[1].split()[1] == str(pid):
                    found.append(path.split("/")[2])
        except OSError:
            pass  # It has ended meanwhile.
    return found


def has_finding():
    with open(log) as file:
        return '"finding"' in file.read()


end = time.monotonic() + 60
while time.monotonic() < end and not (os.path.exists(log) and has_finding() and children(explore.pid)):
    time.sleep(0.01)
running = children(explore.pid)
explore.send_signal(getattr(signal, name))
try:
    out, _ = explore.communicate(timeout=60)
except subprocess.TimeoutExpired:
    explore.kill()
    raise
print(out, end="")
print("ended by", signal.Signals(-explore.returncode).name if explore.returncode < 0
      else explore.returncode)
print("left running:", [pid for pid in running if os.path.exists(f"/proc/{pid}")])
