# ===- measure.py ----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Compiling and running one program, for every script in bench/. Knows no program,
# no variant and no statistics.
#
# ===----------------------------------------------------------------------===#

import os
import signal
import subprocess
import sys
from collections import namedtuple

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(HERE)
FLAGS = ["-std=c++17", "-O2", "-g", "-pthread", "-I", os.path.join(ROOT, "include")]

Usage = namedtuple("Usage", "text wall cpu rss_kib")


def fail(text):
    sys.exit("%s: error: %s" % (os.path.relpath(sys.argv[0]), text))


class Bench:
    """The compilers and the folder for what is built."""

    def __init__(self, build, out, clang):
        build = os.path.realpath(build)
        atsan = os.path.join(build, "bin", "atsan-clang++")
        if not os.access(atsan, os.X_OK):
            fail(
                "%s is not there; build first (cmake --preset default && cmake "
                "--build --preset default), or name the build tree with --build"
                % atsan
            )
        self.compilers = {"clang": clang, "atsan": atsan}
        self.out = os.path.realpath(out or os.path.join(build, "bench"))
        os.makedirs(self.out, exist_ok=True)
        self.launch = self.compile("clang", os.path.join(HERE, "launch.cpp"), "launch")

    def compile(self, compiler, source, name, flags=()):
        """Returns the path of the program."""
        path = os.path.join(self.out, name)
        command = [self.compilers[compiler]] + FLAGS + list(flags)
        command += [source, "-o", path]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except FileNotFoundError:
            fail("there is no compiler %s" % command[0])
        if done.returncode != 0:
            fail("%s\n%s" % (" ".join(command), done.stderr))
        return path

    def run(self, path, arguments, environment, limit):
        """One run of at most `limit` seconds. It must succeed."""
        env = {k: v for k, v in os.environ.items() if not k.endswith("SAN_OPTIONS")}
        env.update(environment)
        result = os.path.join(self.out, "usage")
        child = subprocess.Popen(
            [self.launch, result, path] + arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            start_new_session=True,
        )
        shown = " ".join([path] + arguments)
        try:
            text, errors = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            fail("%s did not end within %d s" % (shown, limit))
        if child.returncode != 0:
            fail(errors.decode(errors="replace"))
        with open(result) as file:
            code, wall, cpu, rss = file.read().split()
        if code != "0":
            errors = errors.decode(errors="replace")[:4000]
            fail("%s ended with exit code %s\n%s" % (shown, code, errors))
        return Usage(text.decode(), float(wall), float(cpu), int(rss))


def add_options(parser):
    """The options that every script has."""
    parser.add_argument(
        "--build",
        default=os.path.join(ROOT, "build"),
        help="build tree of the sanitizer (default: build)",
    )
    parser.add_argument("--out", help="folder for all results (<build>/bench)")
    parser.add_argument("--clang", default="clang++-19", help="the competitor")
