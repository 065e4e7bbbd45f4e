#!/usr/bin/env python3
# ===- random_programs.py --------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# usage: random_programs.py --atsan=PROGRAM --cc=COMMAND [--programs=N] [--seed=N] ...
#
# Compiles random C programs, lets `atsan explore --strategy=systematic --all` run
# all their schedules, and compares what it says, and what the programs say in the
# end, with all interleavings of a model (brute_force.py).
#
# ===----------------------------------------------------------------------===#

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

import brute_force

MAX_POINTS = 12
PLAIN, ATOMIC = ("x0", "x1"), ("a0", "a1")
LOCKS, RWLOCKS, CONDITIONS, SEMAPHORES = ("m0", "m1"), ("l0",), ("c0",), ("s0",)

HEAD = """#include <fcntl.h>
#include <pthread.h>
#include <sanitizer/atsan_interface.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int x0, x1;
static atomic_int a0, a1;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l0 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static sem_t s0;
static pthread_t threads[4];
static int lasts[4];
"""


# What a read yields matters in the end: the optimizer leaves none out.
SEEN = "seen = seen * 7 + last;"


class Generator:
    def __init__(self, seed, polls=False):
        self.polls = polls
        self.random = random.Random(seed)
        self.budget = self.random.randint(5, MAX_POINTS)

    def variable(self):
        return self.random.choice(PLAIN[:1] * 4 + PLAIN[1:])

    def atomic(self):
        return self.random.choice(ATOMIC[:1] * 3 + ATOMIC[1:])

    def access(self):
        kind = self.random.choice(("r", "w", "u", "ar", "aw", "au"))
        name = self.atomic() if kind[0] == "a" else self.variable()
        op = (kind, name)
        if kind in ("w", "aw"):
            op += (self.random.randint(1, 4),)
        self.budget -= 2 if kind == "u" else 1
        if kind != "u" and self.random.random() < 0.15:
            return ("if", self.random.randint(0, 1), op)
        return op

    def block(self, depth=0):
        """Operations that give back what they take."""
        choice = self.random.random()
        if choice < 0.20 and depth < 2:
            lock = self.random.choice(LOCKS)
            self.budget -= 2
            return [("lock", lock), *self.body(depth), ("unlock", lock)]
        if choice < 0.26 and depth < 1:
            lock = self.random.choice(LOCKS)
            self.budget -= 2
            return [("try", lock), *self.body(depth),
                    ("if_owner", lock, ("unlock", lock))]
        if choice < 0.33 and depth < 1:
            self.budget -= 2
            kind = self.random.choice(("rlock", "wlock"))
            return [(kind, "l0"), *self.body(depth), ("rwunlock", "l0")]
        if choice < 0.36 and depth < 1:
            self.budget -= 4
            return [("lock", "m0"), ("wait", "c0", "m0"), ("unlock", "m0")]
        if choice < 0.46:
            self.budget -= 1
            return [(self.random.choice(("signal", "broadcast")), "c0")]
        if choice < 0.54:
            self.budget -= 1
            return [(self.random.choice(("up", "up", "down")), "s0")]
        if choice < 0.70 and depth < 1:
            ops = [op for _ in range(2) for op in [self.access()]]
            return [("begin",), *ops, ("end",)]
        if choice < 0.74:
            rounds = self.random.randint(2, 6)
            self.budget -= rounds
            return [("loop", self.random.choice(PLAIN + ATOMIC), rounds)]
        return [self.access()]

    def body(self, depth):
        return self.block(depth + 1) if self.random.random() < 0.8 else []

    def poll(self, threads):
        """Lets a thread wait for another one, which may or may not take a lock."""
        waits, sets = self.random.sample(range(len(threads)), 2)
        variable = self.random.choice((PLAIN[1], ATOMIC[1]))
        locks = self.random.sample(LOCKS, self.random.choice((0, 1, 1, 2)))
        self.budget -= 3 + 4 * len(locks)
        threads[waits].append(("poll", variable, *locks))
        held = self.random.choice((locks, locks[:1]))
        threads[sets] += [*(("lock", lock) for lock in held), ("set", variable),
                          *(("unlock", lock) for lock in held[::-1])]

    def program(self):
        count = self.random.choice((2, 2, 2, 3, 3, 4))
        threads = [[] for _ in range(count)]
        # Everybody has something to do, as long as there is budget.
        if self.polls:
            self.poll(threads)
        while self.budget > 0:
            if self.polls and self.random.random() < 0.2:
                self.poll(threads)
            else:
                threads[self.random.randrange(count)] += self.block()
        main, work = [], threads[0]
        for t in range(1, count):
            main.append(("create", t))
            if self.random.random() < 0.2 and work:
                cut = self.random.randint(0, len(work))
                if balanced(work[:cut]):
                    main += work[:cut]
                    work = work[cut:]
        joins = [("join", t) for t in range(1, count)]
        self.random.shuffle(joins)
        if self.random.random() < 0.3:
            threads[0] = main + joins + work
        else:
            threads[0] = main + work + joins
        initial = {"s0": self.random.randint(0, 1)}
        return threads, initial


def balanced(ops):
    depth = 0
    for op in ops:
        kind = op[2][0] if op[0] in ("if", "if_owner") else op[0]
        depth += kind in ("lock", "try", "rlock", "wlock", "begin")
        depth -= kind in ("unlock", "rwunlock", "end")
    return depth == 0


def each(verb, locks):
    return " ".join(f"pthread_mutex_{verb}(&{lock});" for lock in locks)


def statement(op, thread):
    kind = op[0]
    atomically = "atomic_load(&%s)" % op[1] if len(op) > 1 else ""
    held = "held%s" % op[1] if len(op) > 1 else ""
    return {
        "r": lambda: f"last = {op[1]}; {SEEN}",
        "w": lambda: f"{op[1]} = {op[2]} + last % 2;",
        "u": lambda: f"last = {op[1]}; {SEEN} {op[1]} = last * 3 + 1;",
        "ar": lambda: f"last = {atomically}; {SEEN}",
        "aw": lambda: f"atomic_store(&{op[1]}, {op[2]} + last % 2);",
        "au": lambda: f"last = atomic_fetch_add(&{op[1]}, 3); {SEEN}",
        "lock": lambda: f"pthread_mutex_lock(&{op[1]}); {held} = 1;",
        "unlock": lambda: f"pthread_mutex_unlock(&{op[1]}); {held} = 0;",
        "try": lambda: f"last = !pthread_mutex_trylock(&{op[1]}); {SEEN} {held} |= last;",
        "rlock": lambda: f"pthread_rwlock_rdlock(&{op[1]});",
        "wlock": lambda: f"pthread_rwlock_wrlock(&{op[1]});",
        "rwunlock": lambda: f"pthread_rwlock_unlock(&{op[1]});",
        "wait": lambda: f"pthread_cond_wait(&{op[1]}, &{op[2]});",
        "signal": lambda: f"pthread_cond_signal(&{op[1]});",
        "broadcast": lambda: f"pthread_cond_broadcast(&{op[1]});",
        "down": lambda: f"sem_wait(&{op[1]});",
        "up": lambda: f"sem_post(&{op[1]});",
        "begin": lambda: "__atomic_begin();",
        "end": lambda: "__atomic_end();",
        "loop": lambda: (f"for (int i = 0; i < {op[2]}; i++) {{ last = {op[1]}; {SEEN} "
                         "if (last % 2) break; }"),
        "set": lambda: (f"atomic_store(&{op[1]}, 1);" if op[1] in ATOMIC else f"{op[1]} = 1;"),
        "poll": lambda: (f"do {{ {each('lock', op[2:])} last = {op[1]}; "
                         f"{each('unlock', op[:1:-1])} }} while (last % 2 == 0);"),
        "create": lambda: f"pthread_create(&threads[{op[1]}], 0, thread{op[1]}, 0);",
        "join": lambda: f"pthread_join(threads[{op[1]}], 0);",
        "if": lambda: f"if (last % 2 == {op[1]}) {{ {statement(op[2], thread)} }}",
        "if_owner": lambda: f"if ({held}) {{ {statement(op[2], thread)} }}",
    }[kind]()


def text_of(threads, initial):
    """Returns the program in C. It appends what it has come to to the file that OUTCOMES
    names."""
    out = [HEAD]
    for t in range(1, len(threads)):
        out.append(f"static void *thread{t}(void *argument);")
    for t, ops in enumerate(threads):
        out.append(f"static void *thread{t}(void *argument) {{")
        out.append("  int last = 0, seen = 0, heldm0 = 0, heldm1 = 0;")
        out += ["  " + statement(op, t) for op in ops]
        out.append(f"  (void)heldm0, (void)heldm1;\n  lasts[{t}] = seen;\n  return 0;\n}}")
    variables = PLAIN + ATOMIC
    out.append(f"""
int main(int argc, char **argv) {{
  sem_init(&s0, 0, {initial["s0"]});
  thread0(0);
  if (argc > 1) {{
    char text[200];
    int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0600);
    snprintf(text, sizeof(text), "{" ".join(["%d"] * (len(variables) + len(threads)))}\\n", {
        ", ".join(list(variables) + [f"lasts[{t}]" for t in range(len(threads))])});
    if (write(file, text, strlen(text)) < 0)
      return 1;
    close(file);
  }}
}}
""")
    return "\n".join(out)


def expected_of(threads, initial, limit):
    outcomes, classes, found = brute_force.explore(threads, limit, initial)
    texts = set()
    for memory, lasts in outcomes:
        values = dict(memory)
        numbers = [values.get(v, 0) for v in PLAIN + ATOMIC] + list(lasts)
        texts.add(" ".join(map(str, numbers)))
    return texts, len(classes), found


def compare(options, seed, folder):
    """What is wrong with this program; None: it is too large; "": nothing."""
    threads, initial = Generator(seed, options.polls).program()
    try:
        outcomes, classes, found = expected_of(threads, initial, options.interleavings)
    except brute_force.TooMany:
        return None
    if classes > options.classes or classes == 1:
        return None
    # By itself, such a program may not end.
    if found["livelock"] or (found["deadlock"] and seed % 4):
        return None
    os.makedirs(folder)
    source, program = os.path.join(folder, "p.c"), os.path.join(folder, "p")
    with open(source, "w") as file:
        file.write(text_of(threads, initial))
    subprocess.run(shlex.split(options.cc) + [options.level, source, "-o", program], check=True)
    said, log = os.path.join(folder, "outcomes"), os.path.join(folder, "log.json")
    run = subprocess.run(
        [options.atsan, "explore", f"--strategy={options.strategy}", "--all", f"--runs={options.runs}",
         f"--json={log}", "--output", folder, "--replays=1", "--timeout=20", "--", program, said],
        # Places need no names here, and to find these takes a busy machine seconds.
        env=dict(os.environ, ATSAN_OPTIONS="symbolize=0"), capture_output=True, text=True)
    if run.returncode == 2 and "itself" in run.stderr:
        return None  # It deadlocks when nobody asks it to.
    if run.returncode not in (0, 66):
        return f"exit code {run.returncode}: {run.stderr}"
    kinds, coverage, number = set(), "", 0
    with open(log) as file:
        for line in map(json.loads, file):
            if line["type"] == "finding":
                kinds.add(line["kind"])
            else:
                coverage, number = line["coverage"], len(line["classes"])
    lines = set()
    if os.path.exists(said):
        with open(said) as file:
            lines = set(file.read().splitlines())
    wrong = []
    if coverage != "all-classes":
        options.open.append(seed)
    if options.strategy != "systematic" or (options.polls and coverage != "all-classes"):
        if not lines <= outcomes:
            wrong.append(f"outcomes {sorted(lines - outcomes)} cannot be")
        if "atomicity-violation" in kinds and not found["violation"]:
            wrong.append("a violation that cannot be")
    else:
        if lines != outcomes:
            wrong.append(f"outcomes: {sorted(lines - outcomes)} cannot be, "
                         f"{sorted(outcomes - lines)} are missing")
        if ("atomicity-violation" in kinds) != found["violation"]:
            wrong.append(f"violation: {found['violation']} is right")
        if ("deadlock" in kinds) != found["deadlock"]:
            wrong.append(f"deadlock: {found['deadlock']} is right")
        if coverage != "all-classes":
            wrong.append(f"coverage is {coverage}")
        # Each round of a poll makes a class of its own.
        if number != classes and not options.polls:
            wrong.append(f"{number} classes, {classes} are right")
    if kinds - {"atomicity-violation", "deadlock"}:
        wrong.append(f"found {kinds}")
    return "\n".join(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atsan", required=True)
    parser.add_argument("--cc", required=True)
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--programs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--polls", action="store_true",
                        help="programs with threads that poll; need not be seen whole")
    parser.add_argument("--strategy", default="systematic")
    parser.add_argument("--interleavings", type=int, default=1500)
    parser.add_argument("--classes", type=int, default=60)
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--keep-going", action="store_true")
    options = parser.parse_args()
    compared, seed, bad, options.open = 0, options.seed, 0, []
    with tempfile.TemporaryDirectory() as scratch:
        while compared < options.programs:
            folder = os.path.join(scratch, str(seed))
            wrong = compare(options, seed, folder)
            if wrong is not None:
                compared += 1
            if wrong:
                bad += 1
                print(f"seed {seed}: {wrong}", flush=True)
                with open(os.path.join(folder, "p.c")) as file:
                    print(file.read()[len(HEAD):])
                if not options.keep_going:
                    break
            seed += 1
    print(f"{compared} programs of {seed - options.seed}, {bad} differences")
    if options.polls:
        print(f"{len(options.open)} of them not seen whole: seeds {options.open}")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
