# ===- harness.py ----------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# What the tests with real programs share: sources, commands with a log and a
# time limit, small edits of foreign sources, counting. Knows no package.
#
# ===----------------------------------------------------------------------===#

import glob
import os
import re
import shutil
import signal
import subprocess
import time

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

VIOLATION = 66  # The sanitizer's exit code.
REPORT = "ERROR: AtomicitySanitizer"


class StepFailed(Exception):
    """What went wrong, for the user; later steps of the package are void."""


class Harness:
    """One run: the drivers, the folders, and the tally."""

    def __init__(self, build, ci):
        self.build = build
        self.ci = ci
        self.cc = os.path.join(build, "bin", "atsan-clang")
        self.cxx = self.cc + "++"
        self.native_cc = self.clang_behind(self.cc)
        # Not behind a second name (plain_path.py): some tests look up the first.
        self.work = build + ("/real" if os.path.realpath(build) == build else "-real")
        self.passed = self.failed = self.skipped = 0
        for driver in (self.cc, self.cxx):
            if not os.access(driver, os.X_OK):
                raise SystemExit(
                    "test/real/run: error: %s is not there; build first "
                    "(cmake --preset default && cmake --build --preset default), "
                    "or name the build tree with --build" % driver
                )
        os.makedirs(self.work, exist_ok=True)

    def clang_behind(self, driver):
        """The clang that the driver becomes."""
        shown = subprocess.run([driver, "--version"], capture_output=True, text=True)
        folder = re.search(r"^InstalledDir: (.*)$", shown.stdout, re.M).group(1)
        return os.path.join(folder, "clang")

    # --- Counting.

    def say(self, text):
        print(text, flush=True)

    def check(self, title, good, detail=""):
        """Counts one test. Returns whether it passed."""
        if good:
            self.passed += 1
        else:
            self.failed += 1
        note = " (%s)" % detail if detail else ""
        self.say("  %s: %s%s" % ("PASS" if good else "FAIL", title, note))
        return good

    def skip(self, title, why):
        self.skipped += 1
        self.say("  SKIP: %s (%s)" % (title, why))

    # --- Sources.

    def fresh_sources(self, package, copy=None):
        """A new copy of the package's sources, fetched when not there yet.

        The copy has the name `copy`, or that of the package.
        """
        pristine = os.path.join(ROOT, ".deps", "real", package)
        if not os.path.isdir(pristine):
            self.say("  fetching the source package %s" % package)
            script = os.path.join(HERE, "fetch-source.sh")
            if subprocess.call([script, pristine, package]) != 0:
                raise StepFailed("no sources of %s (see above)" % package)
        copy = os.path.join(self.work, copy or package)
        shutil.rmtree(copy, ignore_errors=True)
        # With their times: the build systems would regenerate themselves.
        shutil.copytree(pristine, copy, symlinks=True)
        with open(os.path.join(copy, ".atsan-fetched-from")) as stamp:
            self.say("  sources: %s" % stamp.read().strip())
        return copy

    # --- Commands.

    def run(self, command, cwd, minutes, log, env=None, options=()):
        """Runs a command; returns (exit code, output, seconds).

        `options` are run-time options of the sanitizer.

        Output goes to <work>/<log>.log too, with the sanitizer's reports behind
        it: test scripts hide their programs' output and exit codes. A command that
        takes longer than `minutes` is killed with all its children.
        """
        path = os.path.join(self.work, log + ".log")
        reports = os.path.join(self.work, log + ".report")
        for old in glob.glob(reports + ".*"):
            os.remove(old)
        full = dict(os.environ, **(env or {}))
        for name in [n for n in full if n.endswith("SAN_OPTIONS")]:
            del full[name]
        full["ATSAN_OPTIONS"] = ":".join(["log_path=" + reports, *options])
        shown = command if isinstance(command, str) else " ".join(command)
        self.say("  $ %s" % shown.replace(ROOT + os.sep, ""))
        start = time.monotonic()
        with open(path, "wb") as out:
            child = subprocess.Popen(
                command,
                cwd=cwd,
                env=full,
                shell=isinstance(command, str),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                code = child.wait(timeout=minutes * 60)
            except subprocess.TimeoutExpired:
                code = "no end after %g minutes" % minutes
            finally:
                # What it has left behind must not disturb later steps.
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
        with open(path, "ab") as out:
            for report in sorted(glob.glob(reports + ".*")):
                with open(report, "rb") as part:
                    out.write(part.read())
        with open(path, "rb") as out:
            text = out.read().decode(errors="replace")
        return code, text, time.monotonic() - start

    def must(self, command, cwd, minutes, log, **kwargs):
        """run() for a step without which the rest makes no sense."""
        code, text, seconds = self.run(command, cwd, minutes, log, **kwargs)
        if code != 0:
            for line in text.splitlines()[-15:]:
                self.say("    | " + line)
            raise StepFailed(
                "the command ended with %s; all output: %s/%s.log"
                % (code, self.work, log)
            )
        return text, seconds

    def build_env(self):
        """CC and CXX as a user would set them, for configure and CMake."""
        flags = "-g -O2 -fsanitize=atomicity"
        return {
            "CC": self.cc,
            "CXX": self.cxx,
            "CFLAGS": flags,
            "CXXFLAGS": flags,
            "LDFLAGS": "-fsanitize=atomicity",
        }

    def packages_there(self, package, needed):
        """Are the Debian packages that the build needs installed?

        Root gets them installed; others are told how.
        """
        missing = []
        for name in needed:
            query = ["dpkg-query", "-W", "-f", "${db:Status-Status}", name]
            found = subprocess.run(query, capture_output=True, text=True)
            if found.stdout != "installed":
                missing.append(name)
        if not missing:
            return
        install = ["apt-get", "-y", "-q", "-o", "DPkg::Lock::Timeout=300"]
        install += ["install", "--no-install-recommends"] + missing
        if os.geteuid() != 0:
            raise StepFailed(
                "building %s needs packages; as root, run: %s"
                % (package, " ".join(install))
            )
        self.must(install, self.work, 10, "install-" + package)


# --- Edits of foreign sources: each names what it expects to find.


def edited(text, where, edits):
    """Applies (regex, replacement, expected number of places), line-wise `^$`."""
    for pattern, replacement, expected in edits:
        text, count = re.subn(pattern, replacement, text, flags=re.M)
        if count != expected:
            raise StepFailed(
                "%s has %d places like '%s', not %d: this version of the program "
                "needs other edits" % (where, count, pattern, expected)
            )
    return text


def edit(path, *edits):
    """edited() on a file."""
    with open(path) as file:
        text = edited(file.read(), path, edits)
    with open(path, "w") as file:
        file.write(text)


def edit_function(path, head, *edits):
    """edit() in one function only: from the line `head` to the next `^}`."""
    with open(path) as file:
        text = file.read()
    body = re.search(head + r"(?:.|\n)*?^}", text, flags=re.M)
    if not body:
        raise StepFailed("%s has no function like '%s'" % (path, head))
    new = edited(body.group(), "%s, '%s'" % (path, head), edits)
    with open(path, "w") as file:
        file.write(text[: body.start()] + new + text[body.end() :])


def include_header(path, header="sanitizer/atsan_interface.h"):
    """Adds the #include at the top."""
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write("#include <%s>\n" % header + text)


def no_report(text):
    return REPORT not in text
