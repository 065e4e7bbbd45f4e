# ===- source_fuzz.py -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Whether the hooks of the pass tell what the source does, at every level of
# optimization. Random functions (or those of a file) run on shared memory, built
# in two ways: at -O0 with AddressSanitizer's pass, whose calls tell the accesses
# of the source; and with our pass at a level, with its hooks and the accesses of
# the machine code recorded. Of each interval between two visible points,
# byte by byte:
#
#   added-read, added-write    a hook tells what the source does not do
#   joined-reads, -writes      one hook tells what the source reads, or writes, by
#                              several accesses
#   missing-read               source and machine code read it before they write
#                              it, no hook tells, and with other values there
#                              the source does something else (effect.c)
#   missing-read-later         the same behind a write, which is not told either
#   missing-write              the machine code writes it, and no hook tells
#   other-visible-points, other-result, crash: what should never be
#
# A read that the optimizer left out, or added without a hook, is no difference;
# nor is a write of the source that code generation left out behind its hook, such
# as that of a bit-field's other bytes.
#
# ===----------------------------------------------------------------------===#

import argparse
import collections
import multiprocessing
import os
import random
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate
import generate_cxx
import machine_code

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "Inputs")
LEVELS = collections.OrderedDict(
    [
        ("O0", ["-O0"]),
        ("O1", ["-O1"]),
        ("O2", ["-O2"]),
        ("O3", ["-O3"]),
        ("Os", ["-Os"]),
        ("O2-native", ["-O2", "-march=native"]),
        ("O3-native", ["-O3", "-march=native"]),
        ("thin", ["-O2", "-flto=thin"]),
        ("full", ["-O2", "-flto=full"]),
    ]
)
COMMON = ["-w", "-g0", "-fwrapv", "-ffp-contract=off", "-mno-red-zone", "-masm=intel", "-I", INPUTS]
# The members of templates are in the program, where they are seen.
CXX = ["-std=c++17", "-D_GLIBCXX_EXTERN_TEMPLATE=0", "-include", "cxx.h"]
# What the user wrote, told by another pass than ours: calls in front of all
# accesses, no change of the stack. Not the machine code of -O0: it leaves out
# parts of what is loaded, and stores of what has just been loaded.
SOURCE = ["-O0", "-fno-builtin", "-fsanitize=address"]
for option in ("instrumentation-with-call-threshold=0", "stack=0", "globals=0",
               "use-after-scope=0", "opt=0", "instrument-dynamic-allocas=0",
               "use-stack-safety=0"):
    SOURCE += ["-mllvm", "-asan-" + option]


# Called between any two instructions, where vector registers are live.
CALLED_BY_CODE = ("recorder", "hooks", "library")
RUNTIME = (*CALLED_BY_CODE, "inputs", "effect")


class Failure(Exception):
    pass


def has_native():
    with open("/proc/cpuinfo") as file:
        return " avx2 " in file.read()


def call(command, text=None, timeout=300):
    try:
        done = subprocess.run(
            command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=timeout, encoding="latin-1",
        )
    except subprocess.TimeoutExpired:
        raise Failure("timeout: " + " ".join(command))
    if done.returncode:
        raise Failure("%d: %s\n%s" % (done.returncode, " ".join(command), done.stderr[:3000]))
    return done.stdout


def clang_of(build):
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        return re.search(r"^ATSAN_CLANG:\w+=(.+)$", cache.read(), re.MULTILINE)[1]


class Builder:
    def __init__(self, options):
        self.options = options
        self.clang = options.clang or clang_of(options.build)
        self.atsan = os.path.join(options.build, "bin", "atsan-clang")
        self.folder = options.folder
        os.makedirs(self.folder, exist_ok=True)
        self.runtime = [os.path.join(self.folder, x + ".o") for x in RUNTIME]

    def build_runtime(self):
        flags = ["-O2", "-fno-builtin", "-I", INPUTS, "-c"]
        for name, output in zip(RUNTIME, self.runtime):
            extra = ["-mgeneral-regs-only"] if name in CALLED_BY_CODE else []
            call([self.clang, *flags, *extra, os.path.join(INPUTS, name + ".c"), "-o", output])

    def link(self, assembly, program, is_cxx, accesses=True):
        try:
            text = machine_code.instrument(assembly, accesses)
        except ValueError as error:
            raise Failure(str(error))
        libraries = ["-lstdc++"] if is_cxx else []
        call([self.clang, "-fuse-ld=lld", "-x", "assembler", "-", "-x", "none", *self.runtime,
              *libraries, "-o", program], text)

    def errors(self, path):
        """The numbers of the lines that are wrong."""
        language = CXX if path.endswith(".cpp") else []
        command = [self.clang, *COMMON, *language, "-fsyntax-only", "-ferror-limit=0", path]
        done = subprocess.run(command, stderr=subprocess.PIPE, encoding="latin-1")
        found = re.findall(r"^%s:(\d+):\d+: (?:fatal )?error" % re.escape(path), done.stderr, re.M)
        return sorted(set(map(int, found)))

    def build_source(self, path, program):
        is_cxx = path.endswith(".cpp")
        language = CXX if is_cxx else []
        command = [self.clang, *COMMON, *SOURCE, *language, "-S", path, "-o", "-"]
        self.link(call(command), program, is_cxx, accesses=False)

    def build_with_pass(self, path, program, level):
        is_cxx = path.endswith(".cpp")
        language = CXX if is_cxx else []
        flags = LEVELS[level]
        compiler = [self.atsan + ("++" if is_cxx else ""), "-fsanitize=atomicity"]
        command = [*compiler, *COMMON, *flags, *language, *self.options.extra]
        if "-flto" not in " ".join(flags):
            assembly = call([*command, "-S", path, "-o", "-"])
        else:
            assembly = self.optimize_at_link([*compiler, *flags], command, path, program)
        self.link(assembly, program, is_cxx)

    def optimize_at_link(self, linker, command, path, program):
        """The assembly of link time optimization, which is not linked yet."""
        module, output = program + "-module.o", program + ".out"
        call([*command, "-c", path, "-o", module])
        is_thin = "-flto=thin" in linker
        stop = ["--thinlto-index-only"] if is_thin else ["--lto-emit-asm"]
        call([*linker, "-fno-sanitize-link-runtime", "-fuse-ld=lld", module, *self.runtime,
              "-Wl," + stop[0], "-Wl,-mllvm,-x86-asm-syntax=intel", "-o", output])
        if is_thin:
            index = module + ".thinlto.bc"
            return call([*[x for x in linker if "-flto" not in x], "-w", "-masm=intel", "-mno-red-zone", "-x", "ir", module,
                         "-fthinlto-index=" + index, "-S", "-o", "-"])
        with open(output + ".lto.s", encoding="latin-1") as file:
            return file.read()

    def clean(self, prefix):
        for name in os.listdir(self.folder):
            if name.startswith(os.path.basename(prefix)):
                os.remove(os.path.join(self.folder, name))

    def judge(self, path, levels):
        """(level, name, kind, line) of each difference, and counts."""
        base = os.path.splitext(path)[0]
        found, counts, unread = [], collections.Counter(), []
        source = base + "-source"
        self.build_source(path, source)
        call([source, "write", base + ".sets", *self.options.weak])
        hide = ["hide=" + self.options.hide] if self.options.hide else []
        for level in levels:
            program = base + "-" + level
            try:
                self.build_with_pass(path, program, level)
                output = call([program, "compare", base + ".sets", *self.options.weak, *hide], timeout=120)
            except Failure as failure:
                name = re.search(r"^stopped by signal in (\w+)$", str(failure), re.M)
                found.append((level, name.group(1) if name else "?", "crash", str(failure)))
                continue
            for line in output.splitlines():
                words = line.split()
                if words[0] == "counts":
                    numbers = list(map(int, words[1:]))
                    for key, value in zip(("runs", "intervals", "bytes", "dropped reads", "dropped writes"), numbers):
                        counts[key] += value
                elif words[1] == "unread":
                    unread.append((level, words[0], words[2], " ".join(words[3:])))
                else:
                    found.append((level, words[0], words[1], line))
        found += self.missing_reads(base, source, unread, counts)
        self.clean(base + "-")
        return found, counts

    def missing_reads(self, base, source, unread, counts):
        """Those reads without a hook whose value has an effect. Of each function, and of all levels, only some runs."""
        wanted = collections.OrderedDict()
        for level, name, first, numbers in unread:
            of_function = wanted.setdefault(name, collections.OrderedDict())
            if numbers in of_function or len(of_function) < self.options.trials:
                of_function.setdefault(numbers, []).append((level, first))
            else:
                counts["not tried"] += 1
        if not wanted:
            return []
        lines = [(name, numbers) for name in wanted for numbers in wanted[name]]
        with open(base + ".unread", "w") as file:
            file.writelines("%s %s\n" % line for line in lines)
        answers = call([source, "effects", base + ".unread", *self.options.weak], timeout=600).splitlines()
        os.remove(base + ".unread")
        if len(answers) != len(lines):
            raise Failure("%d answers to %d questions" % (len(answers), len(lines)))
        result = []
        for (name, numbers), answer in zip(lines, answers):
            if answer == "none":
                counts["without effect"] += len(wanted[name][numbers])
                continue
            words = numbers.split()
            for level, first in wanted[name][numbers]:
                result.append((level, name, "missing-read", "%s missing-read input %s interval %s %s (%d bytes): %s"
                               % (name, words[0], words[1], first, len(words) - 2, answer)))
        return result


def write_file(path, texts, names):
    is_cxx = path.endswith(".cpp")
    with open(path, "w") as file:
        file.write('#include "shared.h"\n')
        if is_cxx:
            file.write('extern "C" {\n')
        file.write("\n".join(texts))
        file.write("__attribute__((used)) const struct entry functions[] = {\n")
        file.write("".join('  {"%s", %s},\n' % (n, n) for n in names))
        file.write("  {0, 0}};\n")
        if is_cxx:
            file.write("}\n")


# LLVM moves calls that only read through their arguments over any atomic
# operation on other memory (AAResults::getModRefInfo of an atomic and a call).
ATOMIC = re.compile(r"\b__atomic_")
READING_CALL = re.compile(r"\b(mem|str|b)(n?cmp|n?len|r?chr|str|c?spn|pbrk)\(|\bstd::string")


def make(seed, number, is_cxx):
    name = "f%d_%d" % (seed, number)
    rng = random.Random("%d %d %d" % (seed, number, is_cxx))
    while True:
        function = generate.Function(rng, name, generate_cxx.statement if is_cxx else None)
        text = generate.print_function(name, function.helpers, function.body)
        if not (ATOMIC.search(text) and READING_CALL.search(text)):
            return function


def paths(body, prefix=()):
    """Of all parts, the outer first."""
    for i, item in enumerate(body):
        yield prefix + (i,)
        if not isinstance(item, str):
            for j, part in enumerate(item):
                if not isinstance(part, str):
                    yield from paths(part, prefix + (i, j))


def without(body, path, unwrap=False):
    body = list(body)
    if len(path) > 1:
        item = list(body[path[0]])
        item[path[1]] = without(item[path[1]], path[2:], unwrap)
        body[path[0]] = item
        return body
    item = body.pop(path[0])
    if unwrap and not isinstance(item, str):
        body[path[0]:path[0]] = [p for part in item if not isinstance(part, str) for p in part]
    return body


def simpler(text):
    """The text with one expression in parentheses less."""
    starts = []
    for i, letter in enumerate(text):
        if letter == "(":
            starts.append(i)
        elif letter == ")" and starts:
            start = starts.pop()
            if i - start > 4:
                for new in ("(c)", "(1)"):
                    yield text[:start] + new + text[i + 1 :]


def with_simpler_text(body):
    """All bodies in which one text is simpler."""
    for i, item in enumerate(body):
        if isinstance(item, str):
            for text in simpler(item):
                yield body[:i] + [text] + body[i + 1 :]
            continue
        for j, part in enumerate(item):
            parts = simpler(part) if isinstance(part, str) else with_simpler_text(part)
            for less in parts:
                yield body[:i] + [item[:j] + [less] + item[j + 1 :]] + body[i + 1 :]


def judge_bodies(builder, function, bodies, level, kind, is_cxx):
    """For each body, the line of its difference, or None; all in one file."""
    path = os.path.join(builder.folder, "shrink%s" % (".cpp" if is_cxx else ".c"))
    # What follows the underscores has no influence on the inputs.
    names = ["%s__%d" % (function.name, i) for i in range(len(bodies))]
    texts = []
    for name, body in zip(names, bodies):
        text = generate.print_function(function.name, function.helpers, body)
        texts.append(re.sub(r"\b%s\b" % function.name, name, text)
                     .replace(function.name + "_help", name + "_help"))
    left = list(range(len(bodies)))
    found = []
    while left:
        write_file(path, [texts[i] for i in left], [names[i] for i in left])
        errors = builder.errors(path)
        if not errors:
            try:
                found, _ = builder.judge(path, [level])
                break
            except Failure as failure:
                endless = re.search(r"^stopped by signal in \w+__(\d+)$", str(failure), re.M)
                if not endless:
                    break
                left.remove(int(endless.group(1)))
                continue
        with open(path) as file:
            lines = file.read().splitlines()
        wrong = set()
        for number in errors:
            # The function that the line is in: helpers have its name, too.
            for line in lines[number - 1 :: -1]:
                match = re.search(r"\b%s__(\d+)" % function.name, line)
                if match:
                    wrong.add(int(match.group(1)))
                    break
        if not wrong & set(left):
            return [None] * len(bodies)
        left = [i for i in left if i not in wrong]
    result = [None] * len(bodies)
    for _, name, what, line in reversed(found):
        if what == kind and "__" in name:
            result[int(name.split("__")[1])] = line
    return result


def shrink(builder, function, level, kind, is_cxx):
    body = function.body
    line = judge_bodies(builder, function, [body], level, kind, is_cxx)[0]
    if not line:
        return generate.print_function(function.name, function.helpers, body), "(not alone)"
    while True:
        smaller = []
        for part in list(paths(body)):
            for unwrap in (False, True):
                less = without(body, part, unwrap)
                if less != body and less not in smaller:
                    smaller.append(less)
        smaller += list(with_simpler_text(body))[:300]
        smaller.sort(key=lambda b: len("".join(generate.flat(b))))
        results = judge_bodies(builder, function, smaller, level, kind, is_cxx)
        size = len("".join(generate.flat(body)))
        better = [(b, r) for b, r in zip(smaller, results)
                  if r and len("".join(generate.flat(b))) < size]
        if not better:
            break
        body, line = better[0]
    return generate.print_function(function.name, function.helpers, body), line


def judge_defined(builder, path, functions, levels):
    """Leaves out what does not end at -O0 either: its behaviour is undefined."""
    left = list(functions)
    while True:
        texts = [generate.print_function(f.name, f.helpers, f.body) for f in left]
        write_file(path, texts, [f.name for f in left])
        try:
            found, counts = builder.judge(path, levels)
        except Failure as failure:
            undefined = re.search(r"-source write .*\nstopped by signal in (\w+)$", str(failure), re.M)
            if not undefined:
                raise
            left = [f for f in left if f.name != undefined.group(1)]
            continue
        counts["programs"] = len(left)
        return found, counts


def work(job):
    options, number = job
    seed = options.seed + number
    is_cxx = random.Random(seed).random() < options.cxx
    suffix = ".cpp" if is_cxx else ".c"
    options.folder = os.path.join(options.folder, "job%d" % os.getpid())
    builder = Builder(options)
    builder.runtime = [os.path.join(os.path.dirname(options.folder), os.path.basename(x)) for x in builder.runtime]
    wanted = range(options.functions)
    if options.only:
        seed, one = map(int, options.only[1:].split("_"))
        is_cxx, wanted = random.Random(seed).random() < options.cxx, [one]
        suffix = ".cpp" if is_cxx else ".c"
    functions = [make(seed, i, is_cxx) for i in wanted]
    path = os.path.join(options.folder, "random%d%s" % (seed, suffix))
    levels = options.levels
    if options.levels_each:
        first = number * options.levels_each
        levels = [levels[(first + i) % len(levels)] for i in range(options.levels_each)]
    try:
        found, counts = judge_defined(builder, path, functions, levels)
    except Failure as failure:
        return [(seed, levels, "?", "failure", str(failure), "")], {}
    os.remove(path[: -len(suffix)] + ".sets")
    by_name = {f.name: f for f in functions}
    reports = []
    shrunk = collections.Counter()
    seen = set()
    for level, name, kind, line in found:
        if (name, kind) in seen:
            continue
        seen.add((name, kind))
        levels = sorted({f[0] for f in found if f[1:3] == (name, kind)})
        text = ""
        if name in by_name and shrunk[kind] < options.shrink:
            shrunk[kind] += 1
            text, line = shrink(builder, by_name[name], level, kind, is_cxx)
        reports.append((seed, levels, name, kind, line, text))
    return reports, counts


def show(report):
    seed, levels, name, kind, line, text = report
    print("== %s: seed %d, function %s, levels %s" % (kind, seed, name, " ".join(levels)))
    print(line)
    print(text, flush=True)


def judge_file(options):
    builder = Builder(options)
    suffix = os.path.splitext(options.file)[1]
    with open(options.file) as file:
        text = file.read()
    names = re.findall(r"^FUNCTION\((\w+)\)", text, re.M)
    path = os.path.join(options.folder, "cases" + suffix)
    write_file(path, [text], names)
    found, counts = builder.judge(path, options.levels)
    counts["programs"] = len(names)
    for name in names:
        kinds = collections.OrderedDict()
        for level, _, kind, line in [f for f in found if f[1] == name]:
            kinds.setdefault(kind, []).append((level, line))
        print("%-28s %s" % (name, "exact" if not kinds else "DIFFERS"))
        for kind, places in kinds.items():
            levels = list(collections.OrderedDict.fromkeys(l for l, _ in places))
            print("    %s at %s: %s" % (kind, " ".join(levels), places[0][1]))
    for level, name, kind, line in found:
        if name == "?":
            print(kind, level, line)
    return len({f[1:3] for f in found}), counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="the build tree")
    parser.add_argument("--clang", help="by default, the one behind the build's drivers")
    parser.add_argument("--folder", default="/tmp/source-fuzz")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--functions", type=int, default=200, help="in a file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--levels-each", type=int, help="of the levels, in turn, for each file")
    parser.add_argument("--cxx", type=float, default=0.3, help="share of C++ files")
    parser.add_argument("--shrink", type=int, default=1, help="how many of a kind in a file")
    parser.add_argument("--extra", action="append", default=[], help="compiler option with the pass")
    parser.add_argument("--weak", action="store_const", const=["weak"], default=[],
                        help="accesses stay on their side of volatile and relaxed ones, too")
    parser.add_argument("--trials", type=int, default=12, help="missing reads that are tried, of each function")
    parser.add_argument("--hide", help="a variable whose reads no hook tells: what must be found")
    parser.add_argument("--only", help="print, judge and shrink this function, by its name")
    parser.add_argument("--file", help="judge this file's functions")
    parser.add_argument("--quiet", action="store_true", help="counts only")
    options = parser.parse_args()
    options.levels = [l for l in options.levels.split(",") if has_native() or "native" not in l]
    options.functions = min(options.functions, options.programs)
    start = time.time()
    builder = Builder(options)
    builder.build_runtime()
    if options.file:
        differences, counts = judge_file(options)
    else:
        differences, counts = 0, collections.Counter()
        files = 1 if options.only else -(-options.programs // options.functions)
        jobs = [(options, i) for i in range(files)]
        with multiprocessing.Pool(options.jobs) as pool:
            for reports, more in pool.imap(work, jobs):
                counts.update(more)
                differences += len(reports)
                for report in reports:
                    show(report)
    print("%d programs, %d runs, %d intervals, %d levels, %d differences (%d dropped reads, %d dropped writes, %d reads without effect; %.0f s)"
          % (counts["programs"], counts["runs"], counts["intervals"], len(options.levels), differences,
             counts["dropped reads"], counts["dropped writes"], counts["without effect"], time.time() - start))
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
