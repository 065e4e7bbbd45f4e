# ===- loops_differential.py -----------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Compiles random loops with hooks for whole loops and without, runs both with a
# runtime that prints every access, and compares what was printed:
#
#   usage: loops_differential.py <clang> <plugin> <folder> <seed> <functions>
#
# Between two visible points and outside regions, both must have the same pairs
# (x, y) with x at or before y: a cycle enters a thread at some x and leaves it
# at some y behind it, so the pairs decide which cycles there are. An access is
# seen by byte, and a write counts as a read, too: what conflicts with a read
# conflicts with a write.
#
# Inside a region all accesses are one transaction: the same set will do, with
# two exceptions. What was read before it was decided to write must be reported
# before that write: whatever was read for the first time before something was
# written for the first time, is so in both. And nothing may pass an access
# under a condition: of these, some write a mark, and the sets between two marks
# must be the same.
#
# ===----------------------------------------------------------------------===#

import os
import random
import subprocess
import sys

TYPES = ["char", "short", "int", "long", "float", "double", "struct wide"]
COUNTERS = ["int", "long", "unsigned", "short", "unsigned char"]
LEVELS = [["-O1"], ["-O2"], ["-O3", "-mavx2", "-funroll-loops"]]
SIZES = [0, 1, 2, 3, 7, 21]
# The first bytes of the arena. Every store in the source has its own.
MARKS = 256

HEADER = """
struct wide { int a; long b; short c; };
extern char arena[];
void visible(void);
"""


class Program:
    """One random program: functions with loops, and run_all() to call them."""

    def __init__(self, seed, functions):
        self.random = random.Random(seed)
        self.text = [HEADER]
        self.marks = 0
        calls = []
        for number in range(functions):
            name = "loop%d" % number
            self.function(name)
            for n in SIZES:
                offsets = [self.random.randrange(64, 320) * 16 for _ in range(3)]
                # Often the same or neighbouring memory.
                if self.random.random() < 0.5:
                    offsets[1] = offsets[0] + self.random.choice([0, 8, -8, 16, 32])
                width = self.random.randrange(1, 9)
                calls.append(
                    "  visible(); r += %s((void *)(arena + %d), (void *)(arena + %d),"
                    " (void *)(arena + %d), arena, %d, %d);"
                    % (name, *offsets, n, width)
                )
        self.text.append("int run_all(void) {\n  int r = 0;")
        self.text += calls + ["  return r;\n}"]

    def pick(self, *items):
        return self.random.choice(items)

    def index(self, i):
        return self.pick(
            i,
            i,
            i,
            "%s + 1" % i,
            "(long)%s - 1" % i,
            "%s * 2" % i,
            "%s * 3 + 1" % i,
            "n - (long)%s" % i,
            "(long)%s * w" % i,
            "%s + w" % i,
            "3",
            "w",
            "%s & 3" % i,
        )

    def element(self, pointer, i):
        name, kind = pointer
        text = "%s[%s]" % (name, self.index(i))
        if kind != "struct wide":
            return text
        return text + self.pick(".a", ".b", ".c")

    def statement(self, pointers, i):
        a, b, c = (self.random.choice(pointers) for _ in range(3))
        form = self.random.randrange(9)
        if form == 0 and a[1] == "struct wide":
            return "%s[%s] = %s[%s];" % (a[0], i, a[0], self.index(i))
        if form <= 2:
            return "%s = %d;" % (self.element(a, i), self.random.randrange(100))
        if form == 3:
            return "%s += 3;" % self.element(a, i)
        if form == 4:
            return "s += %s;" % self.element(a, i)
        if form == 5:
            return "%s = %s + %s;" % tuple(self.element(x, i) for x in (a, b, c))
        if form == 6:
            return "%s = %s;" % tuple(self.element(x, i) for x in (a, b))
        if form == 7:
            return self.conditional(pointers, i)
        if form == 8 and self.random.random() < 0.5:
            return self.pick("visible();", "if (s > 900) break;", *2 * [self.retries(pointers)])
        return "s += %s * 2;" % self.element(a, i)

    def retries(self, pointers):
        """A loop of at most eight iterations, often without accesses."""
        body = [self.statement(pointers, "w") for _ in range(self.pick(0, 0, 0, 1, 2))]
        return "do { %s s = s * 1103515245 + 12345; } while (s & 4);" % " ".join(body)

    def mark(self):
        self.marks = (self.marks + 1) % MARKS
        return "m[%d] = 1;" % self.marks

    def conditional(self, pointers, i, depth=0):
        # Nothing that is known before the loop, or at compile time: nothing in it
        # would be under a condition.
        pointer, kind = self.random.choice(pointers)
        field = ".b" if kind == "struct wide" else ""
        text = "m[%d + %s]%s" % (MARKS, i, self.pick("", " + 60", " - 60"))
        test = "%s[%s]%s > %s" % (pointer, i, field, text)
        body = [self.mark()] if self.random.random() < 0.7 else []
        for _ in range(self.pick(0, 1, 1, 2)):
            a, b = (self.element(self.random.choice(pointers), i) for _ in range(2))
            body.append(
                self.pick("s += %s;" % a, "%s = 1;" % a, "%s = %s;" % (a, b), "%s++;" % b)
                if not ("struct" in kind)
                else "s += %s;" % a
            )
        if depth < 2 and self.random.random() < 0.3:
            inner = self.conditional(pointers, i, depth + 1)
            body.insert(self.random.randrange(len(body) + 1), inner)
        self.random.shuffle(body)
        if i != "w" and self.random.random() < 0.1:
            body.append("continue;")
        text = "if (%s) { %s }" % (test, " ".join(body))
        if self.random.random() < 0.2:
            text += " else { %s }" % self.mark()
        return text

    def loop(self, pointers, depth, limit):
        i = "i%d" % depth
        counter = self.random.choice(COUNTERS)
        head, tail = self.pick(
            ("for (%s %s = 0; %s < %s; %s++) {" % (counter, i, i, limit, i), "}"),
            ("for (%s %s = 0; %s < %s; %s++) {" % (counter, i, i, limit, i), "}"),
            ("for (%s %s = 1; %s < %s; %s += 2) {" % (counter, i, i, limit, i), "}"),
            ("for (int %s = %s - 1; %s >= 0; %s--) {" % (i, limit, i, i), "}"),
            ("for (long %s = %s; %s > 2; %s -= 3) {" % (i, limit, i, i), "}"),
            ("{ %s %s = 0; do {" % (counter, i), "} while (++%s < %s); }" % (i, limit)),
            ("{ %s %s = 0; do {" % ("unsigned", i), "} while (%s++ != w); }" % i),
        )
        body = [self.statement(pointers, i) for _ in range(self.pick(1, 1, 2, 2, 3, 4))]
        if self.random.random() < 0.3:
            place = self.random.randrange(len(body) + 1)
            body.insert(place, self.conditional(pointers, i))
        if depth < 2 and self.random.random() < 0.25:
            inner = self.loop(pointers, depth + 1, self.pick("w", "n", i))
            body.insert(self.random.randrange(len(body) + 1), inner)
        return "\n".join([head] + body + [tail])

    def function(self, name):
        kinds = [self.random.choice(TYPES) for _ in range(3)]
        pointers = list(zip("pqr", kinds))
        parameters = ", ".join("%s *%s" % (t, p) for p, t in pointers)
        body = [self.loop(pointers, 0, "n") for _ in range(self.pick(1, 1, 2))]
        if self.random.random() < 0.3:
            body.insert(1, self.statement(pointers, "w").replace("break;", ";"))
        self.text.append(
            "__attribute__((noinline)) static int %s(%s, char *m, int n, int w) {\n"
            "  int s = 0;\n%s\n  return s;\n}" % (name, parameters, "\n".join(body))
        )

    def write(self, path):
        with open(path, "w") as file:
            file.write("\n".join(self.text) + "\n")


def check(command):
    return subprocess.run(command, check=True, timeout=300, stdout=subprocess.PIPE)


def windows(path, in_region):
    """What was printed: the lines, cut at visible points."""
    output = check([path, in_region]).stdout.decode().splitlines()
    result = [[]]
    for line in output:
        if line[0] in "rw":
            result[-1].append(line) if line[1] == " " else result.append([line])
        else:
            result.append([line])
            result.append([])
    return result


def symbols(window):
    """In order: what can conflict, by byte."""
    for line in window:
        kind, offset, size = line.split()
        for byte in range(int(offset), int(offset) + int(size)):
            yield "r", byte
            if kind == "w":
                yield "w", byte


def first_and_last(window):
    first, last = {}, {}
    # The bytes of one access are at one time.
    for time, line in enumerate(window):
        for symbol in symbols([line]):
            first.setdefault(symbol, time)
            last[symbol] = time
    return first, last


def cut(window):
    """The window between marks, each of which begins a part."""
    parts = [[]]
    for line in window:
        if line[0] == "w" and int(line.split()[1]) < MARKS:
            parts.append([])
        parts[-1].append(line)
    return parts


def first_times(window, kind):
    first = {}
    for time, line in enumerate(window):
        if line[0] == kind:
            for symbol in symbols([line]):
                first.setdefault(symbol[1], time)
    return first


def reads_come_first(a, b):
    """Whether what a reads before it writes is so in b."""
    (reads_a, writes_a), (reads_b, writes_b) = (
        [first_times(x, kind) for kind in "rw"] for x in (a, b)
    )
    return all(
        reads_b[x] < writes_b[y]
        for x in reads_a
        for y in writes_a
        if reads_a[x] < writes_a[y]
    )


def are_equal_in_region(a, b):
    parts_a, parts_b = cut(a), cut(b)
    if len(parts_a) != len(parts_b):
        return False
    return (
        all(x[0] == y[0] for x, y in zip(parts_a[1:], parts_b[1:]))
        and all(set(symbols(x)) == set(symbols(y)) for x, y in zip(parts_a, parts_b))
        and reads_come_first(a, b)
    )


def are_equal(a, b, in_region):
    is_log = [w and w[0][:2] in ("r ", "w ") for w in (a, b)]
    if not all(is_log) and any(is_log) or a and b and not any(is_log):
        return a == b
    if in_region == "1":
        return are_equal_in_region(a, b)
    (first_a, last_a), (first_b, last_b) = first_and_last(a), first_and_last(b)
    if set(first_a) != set(first_b):
        return False
    # Hooks for loops report what one wide access was made from one by one: pairs
    # in both directions within one access may become one.
    return all(
        (first_a[x] <= last_a[y]) == (first_b[x] <= last_b[y])
        or first_a[x] == last_a[y]
        for x in first_a
        for y in first_a
    )


def compare(paths, level, source):
    compared = 0
    for in_region in "01":
        traces = [windows(path, in_region) for path in paths]
        if len(traces[0]) != len(traces[1]):
            sys.exit("%s %s: another number of visible points" % (source, level))
        for number, (a, b) in enumerate(zip(*traces)):
            if not are_equal(a, b, in_region):
                print("without hooks for loops:", *a, sep="\n  ")
                print("with them:", *b, sep="\n  ")
                sys.exit(
                    "%s %s: window %d differs, in_region=%s"
                    % (source, level, number, in_region)
                )
            compared += len(a)
    return compared


def main():
    if len(sys.argv) != 6:
        sys.exit("usage: loops_differential.py <clang> <plugin> <folder> <seed> <n>")
    clang, plugin, folder = sys.argv[1:4]
    seed, functions = int(sys.argv[4]), int(sys.argv[5])
    os.makedirs(folder, exist_ok=True)
    source = os.path.join(folder, "loops%d.c" % seed)
    Program(seed, functions).write(source)
    runtime = os.path.join(os.path.dirname(__file__), "logging_runtime.c")
    logger = os.path.join(folder, "logging_runtime.o")
    check([clang, "-O1", "-c", runtime, "-o", logger])
    total = 0
    for level in LEVELS:
        paths = []
        for use in ("false", "true"):
            program = os.path.join(folder, "loops%d-%s" % (seed, use))
            check(
                [clang, "-w", "-fwrapv", "-fno-strict-aliasing", *level]
                + ["-fpass-plugin=" + plugin]
                + ["-Xclang", "-load", "-Xclang", plugin]
                + ["-mllvm", "-atsan-loop-hooks=" + use]
                + [source, logger, "-o", program]
            )
            paths.append(program)
        total += compare(paths, " ".join(level), source)
    print("same: %d accesses" % total)


main()
