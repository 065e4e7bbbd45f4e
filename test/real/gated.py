# ===- gated.py ------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# What a stranger does with a small program, by docs/integration.md: build it,
# name regions, run its own tests, and let `atsan report` decide. The gate must
# be green for the program, and red for a violation that is planted beside it and
# for a build without the sanitizer.
#
# ===----------------------------------------------------------------------===#

import glob
import os
import shutil

from harness import HERE, VIOLATION, StepFailed

UNCHECKED = 2  # What `atsan report` says if nothing was checked.


def run_logged(h, name, commands, tree, options):
    """Runs the commands with reports as JSON. Returns (exit codes, folder, s)."""
    folder = os.path.join(h.work, name + "-reports")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    own = ["report_format=json", "log_path=" + os.path.join(folder, "log")]
    codes, seconds = [], 0
    for number, command in enumerate(commands):
        log = "%s-test%d" % (name, number)
        code, _, took = h.run(command, tree, 15, log, options=own + list(options))
        codes.append(code)
        seconds += took
    return codes, folder, seconds


def gate(h, name, folder):
    """What `atsan report` says of the folder: (exit code, output)."""
    command = [os.path.join(h.build, "bin", "atsan"), "report", folder]
    code, text, _ = h.run(command, h.work, 2, name + "-gate")
    return code, text


def built(h, package, name, build, env):
    tree = h.fresh_sources(package, copy=name)
    build(h, tree, env, name + "-build")
    return tree


def plant(h, package, tree, source, flags):
    """A violation beside the program, and its twin: the gate sees only the first."""
    inputs = os.path.join(HERE, "Inputs")
    out = os.path.join(h.work, package + "-planted")
    compiler = h.cxx if source.endswith(".cpp") else h.cc
    # Not instrumented: it forces the schedule, and must stay out of the picture.
    turns = [h.cxx, "-c", "-O1", os.path.join(inputs, "turns.cpp"), "-o", out + ".o"]
    h.must(turns, tree, 2, package + "-turns")
    command = [compiler, "-fsanitize=atomicity", "-g", "-O1", "-pthread"]
    command += [os.path.join(inputs, source), out + ".o", "-o", out] + flags
    h.must(command, tree, 2, package + "-plant")
    for how, expected, what in [
        ("together", VIOLATION, "a violation is planted: the gate is red"),
        ("in-turn", 0, "its twin, one after the other: the gate is green"),
    ]:
        name = "%s-%s" % (package, how)
        codes, folder, _ = run_logged(h, name, [[out, how]], tree, [])
        code, text = gate(h, name, folder)
        h.check(
            "%s: %s" % (package, what),
            code == expected
            and codes == [expected]
            and ("'look, then act'" in text) == (expected == VIOLATION),
            "atsan report: %s" % code,
        )


def check_program(h, package, build, tests, planted, flags, options=()):
    """All of the above. `build(h, tree, env, log)` builds in the folder `tree`
    with the compilers of `env`; `flags(tree)` are what `planted` is compiled
    with."""
    native_env = {
        "CC": h.native_cc,
        "CXX": h.native_cc + "++",
        "CFLAGS": "-g -O2",
        "CXXFLAGS": "-g -O2",
    }
    native = built(h, package, package + "-native", build, native_env)
    natively, folder, _ = run_logged(h, package + "-native", tests, native, options)
    code, text = gate(h, package + "-native", folder)
    h.check(
        "%s: nothing is instrumented: the gate is red" % package,
        code == UNCHECKED and "nothing was checked" in text,
        "atsan report: %s" % code,
    )
    tree = built(h, package, package, build, h.build_env())
    codes, folder, seconds = run_logged(h, package, tests, tree, options)
    h.check(
        "%s: its own tests pass as natively" % package,
        codes == natively == [0] * len(tests),
        "%s, natively %s, %.0f s" % (codes, natively, seconds),
    )
    code, text = gate(h, package, folder)
    regions = [line for line in text.splitlines() if " entered " in line]
    h.check(
        "%s: its own tests: the gate is green" % package,
        code == 0 and bool(regions),
        "; ".join(regions) or "atsan report: %s" % code,
    )
    plant(h, package, tree, planted, flags(tree))


def the_file(pattern):
    """The one file that the pattern means."""
    found = glob.glob(pattern)
    if len(found) != 1:
        raise StepFailed("%d files are like %s, not one" % (len(found), pattern))
    return found[0]
