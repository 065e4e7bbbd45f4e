# ===- tsan_tests.py ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# A lit test format: each of ThreadSanitizer's own tests, in the compiler-rt
# sources that the build uses, is a test of ours. Its RUN lines are carried out
# twice, with plain clang and with -fsanitize=atomicity, and every program that
# they run must end and print alike. What the program printed is compared with
# the plain one, not with the test's CHECK lines: those are about races.
#
# left-out.txt says which are no tests of ours, and why; varying.txt, of which
# only the exit codes are compared.
#
# ===----------------------------------------------------------------------===#

import fnmatch
import os
import re
import shlex
import shutil
import subprocess

import lit.formats
import lit.Test

HERE = os.path.dirname(os.path.realpath(__file__))
SECONDS_FOR_ALL_RUN_LINES = 240


class ListError(Exception):
    pass


def read_list(name):
    """[(pattern, reason)] of lines `pattern  reason`; `#` begins a comment."""
    entries = []
    with open(os.path.join(HERE, name)) as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            pattern, _, reason = line.partition(" ")
            if not reason.strip():
                raise ListError("%s:%d: '%s' has no reason" % (name, number, pattern))
            entries.append((pattern, reason.strip()))
    return entries


def first_match(entries, name):
    return next((e for e in entries if fnmatch.fnmatchcase(name, e[0])), None)


def has_run_lines(path):
    with open(path, errors="replace") as source:
        return "RUN:" in source.read()


def upstream_tests(root):
    """The tests below `root`, by names like Linux/syscall.cpp, sorted."""
    names = []
    for folder, _, files in os.walk(root):
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith((".c", ".cpp", ".mm", ".m")) and has_run_lines(path):
                names.append(os.path.relpath(path, root))
    return sorted(names)


def choose(root):
    """(compared names, {name left out: reason}); stale entries are an error."""
    left_out = read_list("left-out.txt")
    names = upstream_tests(root)
    for pattern, _ in left_out + read_list("varying.txt"):
        if not fnmatch.filter(names, pattern):
            raise ListError("'%s' is the name of no test in %s" % (pattern, root))
    reasons = {}
    for name in names:
        entry = first_match(left_out, name)
        if entry:
            reasons[name] = entry[1]
    return [n for n in names if n not in reasons], reasons


def run_lines(path):
    """The test's commands, continued lines joined."""
    with open(path, errors="replace") as source:
        lines = [m.group(1).strip() for m in re.finditer(r"RUN:(.*)", source.read())]
    return "\n".join(lines).replace("\\\n", " ")


class TsanTests(lit.formats.TestFormat):
    def __init__(self, config):
        self.root = os.path.join(config.tsan_compiler_rt, "test", "tsan")
        self.include = os.path.join(config.tsan_compiler_rt, "test")
        self.work = os.path.join(config.tsan_build_dir, "test", "tsan", "upstream")
        self.compilers = {
            "plain": (config.tsan_clang, config.tsan_clangxx),
            "atsan": tuple(
                os.path.join(config.tsan_build_dir, "bin", name)
                + " -fsanitize=atomicity"
                for name in ("atsan-clang", "atsan-clang++")
            ),
        }

    # --- What lit calls. --------------------------------------------------------

    def build_hooks(self):
        library = os.path.join(self.work, "libtsan_hooks.so")
        os.makedirs(self.work, exist_ok=True)
        made = "%s.%d" % (library, os.getpid())
        source = os.path.join(HERE, "Inputs", "tsan_hooks.c")
        options = ["-Wl,-soname,libtsan_hooks.so", "-shared", "-fPIC", "-O1"]
        subprocess.run(
            [*shlex.split(self.compilers["plain"][0]), *options, source, "-o", made],
            check=True,
        )
        os.replace(made, library)

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        if not os.path.isdir(self.root):
            lit_config.warning(
                "%s does not exist: ThreadSanitizer's own tests are left out" % self.root
            )
            return
        try:
            names, _ = choose(self.root)
        except (OSError, ListError) as error:
            lit_config.fatal("test/tsan: %s" % error)
        self.build_hooks()
        for name in names:
            path = path_in_suite + tuple(name.split("/"))
            yield lit.Test.Test(suite, path, local_config)

    def execute(self, test, lit_config):
        name = "/".join(test.path_in_suite[1:])
        plain = self.carry_out("plain", name)
        atsan = self.carry_out("atsan", name)
        only_codes = first_match(read_list("varying.txt"), name) is not None
        difference = self.compare(plain, atsan, only_codes)
        if difference:
            return lit.Test.Result(lit.Test.FAIL, difference)
        return lit.Test.Result(lit.Test.PASS, "")

    # --- One test. --------------------------------------------------------------

    def script(self, compilers, source, target):
        """The RUN lines for bash. Inputs/bin has `record`, and what stands for
        the tools that judge ThreadSanitizer's reports."""
        c, cxx = compilers
        flags = " -g -Wno-everything -pthread -I%s -L%s -Wl,-rpath,%s -ltsan_hooks" % (
            self.include,
            self.work,
            self.work,
        )
        substitutions = [
            ("%clangxx_tsan ", cxx + flags + " -std=c++17 "),
            ("%clang_tsan ", c + flags + " "),
            ("%darwin_min_target_with_tls_support", ""),
            ("%link_libcxx_tsan", ""),
            ("%ld_flags_rpath_exe", "-Wl,-rpath,'%T' '%T'/upstream.so"),
            ("%ld_flags_rpath_so", ""),
            ("%dynamiclib", "'%T'/upstream.so"),
            ("%env_tsan_opts=", "env TSAN_OPTIONS="),
            ("%deflake ", ""),
            ("%run ", "record "),
            ("%os", "Linux"),
            ("%p", os.path.dirname(source)),
            ("%s", source),
            ("%t", target),
            ("%T", os.path.dirname(target)),
        ]
        text = run_lines(source)
        for old, new in substitutions:
            text = text.replace(old, new)
        return text

    def carry_out(self, variant, name):
        """What the programs did: [(exit code, stdout, stderr)], or the reason why
        there is nothing to compare."""
        work = os.path.join(self.work, variant, name)
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(os.path.join(work, "runs"))
        environment = dict(os.environ)
        environment["PATH"] = (
            os.path.join(HERE, "Inputs", "bin") + os.pathsep + environment["PATH"]
        )
        environment["ATSAN_RECORD"] = os.path.join(work, "runs")
        for option in list(environment):
            if option.endswith("SAN_OPTIONS"):
                del environment[option]
        source = os.path.join(self.root, name)
        try:
            done = subprocess.run(
                ["bash", "-ec", self.script(self.compilers[variant], source, work + "/t")],
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS_FOR_ALL_RUN_LINES,
            )
        except subprocess.TimeoutExpired:
            return "took longer than %d s" % SECONDS_FOR_ALL_RUN_LINES
        if done.returncode:
            return "a RUN line failed:\n" + done.stdout.decode(errors="replace")
        return self.read_runs(os.path.join(work, "runs"), work)

    def read_runs(self, folder, work):
        runs = []
        for run in sorted(os.listdir(folder), key=int):
            parts = []
            for part in ("code", "out", "err"):
                with open(os.path.join(folder, run, part), errors="replace") as file:
                    parts.append(file.read().replace(work, "WORK"))
            runs.append(tuple(parts))
        return runs or "no RUN line runs a program"

    # --- Comparison. ------------------------------------------------------------

    @staticmethod
    def normalize(text):
        text = re.sub(r"0x[0-9a-fA-F]+", "ADDRESS", text)
        return re.sub(r"\b\d{3,}\b", "NUMBER", text)

    def compare(self, plain, atsan, only_codes):
        """The first difference in words; empty if there is none."""
        for variant, runs in (("plain clang", plain), ("-fsanitize=atomicity", atsan)):
            if isinstance(runs, str):
                return "%s: %s" % (variant, runs)
        if len(plain) != len(atsan):
            return "plain clang ran %d programs, ours %d" % (len(plain), len(atsan))
        for number, (expected, found) in enumerate(zip(plain, atsan), 1):
            if "AtomicitySanitizer" in found[1] + found[2]:
                return "run %d: a report:\n%s%s" % (number, found[1], found[2])
            for part, was, now in zip(("code", "stdout", "stderr"), expected, found):
                if only_codes and part != "code":
                    continue
                if self.normalize(was) != self.normalize(now):
                    return "run %d, %s: under plain clang:\n%s\nours:\n%s" % (
                        number,
                        part,
                        was,
                        now,
                    )
        return ""
