# ===- measure.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Compiling and running one program, for every script in bench/. Knows no program,
# no variant and no statistics. Times are hyperfine's, memory is that of GNU time.
#
# ===----------------------------------------------------------------------===#

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections import namedtuple

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(HERE)
FLAGS = ["-g", "-pthread", "-I", os.path.join(ROOT, "include")]

# What the scripts call, and the Debian package that has it.
TOOLS = {
    "hyperfine": "hyperfine",
    "/usr/bin/time": "time",
    "gnuplot": "gnuplot-nox",
    "size": "binutils",
}

Usage = namedtuple("Usage", "text wall cpu rss_kib")


def fail(text):
    sys.exit("%s: error: %s" % (os.path.relpath(sys.argv[0]), text))


def check_tools():
    missing = [package for tool, package in TOOLS.items() if not shutil.which(tool)]
    if missing:
        fail("programs are missing: apt-get install " + " ".join(missing))


def clang_of(build):
    """The clang behind the drivers of a build tree."""
    try:
        with open(os.path.join(build, "CMakeCache.txt")) as cache:
            found = re.search(r"^ATSAN_CLANGXX:\w+=(.+)$", cache.read(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else "clang++-19"


def environment(more):
    """That of a measured program: options of the caller are no part of it."""
    env = {k: v for k, v in os.environ.items() if not k.endswith("SAN_OPTIONS")}
    return dict(env, **(more or {}))


class Bench:
    """The compilers and the folder for what is built."""

    def __init__(self, options, command):
        check_tools()
        build = os.path.realpath(options.build)
        atsan = os.path.join(build, "bin", "atsan-clang")
        if not os.access(atsan + "++", os.X_OK):
            fail(
                "%s++ is not there; build first (cmake --preset default && cmake "
                "--build --preset default), or name the build tree with --build" % atsan
            )
        self.build = build
        self.clang = options.clang or clang_of(build)
        # By kind of compiler, for C and for C++.
        self.compilers = {
            "clang": (self.clang.replace("clang++", "clang"), self.clang),
            "atsan": (atsan, atsan + "++"),
        }
        self.all_results = os.path.realpath(options.out or os.path.join(build, "bench"))
        self.out = os.path.join(self.all_results, command)
        self.programs = os.path.join(self.out, "programs")
        os.makedirs(self.programs, exist_ok=True)

    def compiler(self, kind, source):
        return self.compilers[kind][not source.endswith(".c")]

    def compile(self, kind, sources, name, flags=(), libraries=()):
        """Builds a program of one or more sources; returns its path."""
        sources = [sources] if isinstance(sources, str) else list(sources)
        path = os.path.join(self.programs, name)
        command = [self.compiler(kind, sources[0])] + FLAGS + list(flags)
        self.must(command + sources + ["-o", path, *libraries])
        return path

    def must(self, command, cwd=None, env=None):
        """Runs a step of a build; returns its standard output."""
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, cwd=cwd, env=environment(env)
            )
        except FileNotFoundError:
            fail("there is no program %s" % command[0])
        if done.returncode != 0:
            fail("%s\n%s" % (shlex.join(command), done.stderr or done.stdout))
        return done.stdout

    def accepts(self, command):
        """Does the command succeed?"""
        return subprocess.run(command, capture_output=True).returncode == 0

    def run(self, path, arguments=(), env=None, limit=900):
        """One run of at most `limit` seconds. It must succeed."""
        usage, why = self.try_run([path, *arguments], env, limit)
        if why:
            fail(why)
        return usage

    def try_run(self, command, env=None, limit=900):
        """One run; returns (usage, None), or (None, the reason)."""
        times, memory = (os.path.join(self.out, n) for n in ("times.json", "memory"))
        shown = shlex.join(command)
        measured = ["/usr/bin/time", "-q", "-f", "%M", "-o", memory] + command
        hyperfine = ["hyperfine", "-N", "--runs", "1", "--style", "none"]
        hyperfine += ["--output", "inherit", "--export-json", times]
        child = subprocess.Popen(
            hyperfine + [shlex.join(measured)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(env),
            start_new_session=True,
        )
        try:
            text, errors = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            return None, "%s did not end within %d s" % (shown, limit)
        finally:
            # It, and what it has left behind.
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
        if child.returncode != 0:
            errors = errors.decode(errors="replace")[:4000]
            return None, "%s failed\n%s" % (shown, errors)
        with open(times) as file:
            result = json.load(file)["results"][0]
        with open(memory) as file:
            rss = int(file.read())
        cpu = result["user"] + result["system"]
        return Usage(text.decode(), result["times"][0], cpu, rss), None


def add_options(parser):
    """The options that every script has."""
    parser.add_argument(
        "--build",
        default=os.path.join(ROOT, "build"),
        help="build tree of the sanitizer (default: build)",
    )
    parser.add_argument(
        "--out", help="folder for results: each command has one in it (<build>/bench)"
    )
    parser.add_argument("--clang", help="the competitor (default: that of the build)")


def parse_with_rounds(parser, rounds):
    """The options of a script that measures in rounds; with --short it is one."""
    parser.add_argument("--rounds", type=int, help="default: %d; --short: 1" % rounds)
    add_options(parser)
    options = parser.parse_args()
    if options.rounds is None:
        options.rounds = 1 if options.short else rounds
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


def check_names(parser, what, names, known):
    """Ends with an error if one of the names on the command line is not known."""
    for name in names:
        if name not in known:
            parser.error(
                "unknown %s '%s'; choose from %s" % (what, name, ", ".join(known))
            )
