# ===- families.py --------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# usage: families.py <family> <size> [broken]
#
# Prints a Petri net of a family, as `.spec`, whose verdict is known by its
# construction: the target is not coverable, or it is in the broken twin. The
# families are those of the common suite of coverability checkers (mist, BFC,
# Petrinizer, QCover, ICover), made anew.
#
# ===----------------------------------------------------------------------===#

import sys


class Net:
    """Places come into being when they are named; ANY is "this many or more"."""

    def __init__(self):
        self.places, self.rules, self.initial, self.targets = {}, [], {}, []

    def put(self, place, tokens=1, or_more=False):
        self.places.setdefault(place)
        self.initial[place] = (tokens, or_more)

    def rule(self, take, give):
        """take and give: "a b b" for one token of a and two of b."""
        count = lambda text: {p: text.split().count(p) for p in text.split()}
        take, give = count(take), count(give)
        for place in [*take, *give]:
            self.places.setdefault(place)
        self.rules.append((take, give))

    def target(self, text):
        self.targets.append({p: text.split().count(p) for p in text.split()})
        for place in text.split():
            self.places.setdefault(place)

    def text(self):
        lines = ["vars", "    " + " ".join(self.places), "", "rules"]
        for take, give in self.rules:
            guard = ", ".join(f"{p} >= {n}" for p, n in take.items())
            effect = ", ".join(
                f"{p}' = {p} {'+' if d > 0 else '-'} {abs(d)}"
                for p in dict.fromkeys([*take, *give])
                if (d := give.get(p, 0) - take.get(p, 0))
            )
            any_place = next(iter(self.places))
            lines.append(f"    {guard or any_place + ' >= 0'} ->")
            lines.append(f"        {effect or any_place + chr(39) + ' = ' + any_place + ' + 0'};")
        values = []
        for place in self.places:
            tokens, or_more = self.initial.get(place, (0, False))
            values.append(f"{place} {'>=' if or_more else '='} {tokens}")
        lines += ["", "init", "    " + ", ".join(values), "", "target"]
        for target in self.targets:
            lines.append("    " + ", ".join(f"{p} >= {n}" for p, n in target.items()))
        return "\n".join(lines) + "\n"


def mutex(n, broken):
    """n locks in a row, any number of threads; broken: the last is not taken."""
    net = Net()
    net.put("at0", 1, True)
    for i in range(n):
        net.put(f"free{i}")
        lock = "" if broken and i == n - 1 else f"free{i}"
        # The lock before is given back when the next one is held.
        back = f"free{i - 1}" if i and not (broken and i - 1 == n - 1) else ""
        net.rule(f"at{i} {lock}", f"at{i + 1} {back}")
    net.rule(f"at{n} ", f"at0 {'' if broken else f'free{n - 1}'}")
    net.target(f"at{n} at{n}")
    return net


def processes(n, broken):
    """n processes, each with places of its own, and one mutex: a safe net."""
    net = Net()
    net.put("free")
    for i in range(n):
        net.put(f"idle{i}")
        net.rule(f"idle{i}", f"want{i}")
        net.rule(f"want{i} free", f"in{i}" if not (broken and i == 0) else f"in{i} free")
        net.rule(f"in{i}", f"idle{i} free" if not (broken and i == 0) else f"idle{i}")
    net.target(f"in0 in{n - 1}")
    return net


def pool(n, broken):
    """Any number of clients put messages of n kinds into a pool; a server takes
    one of each kind in turn, and answers only then."""
    net = Net()
    net.put("client", 1, True)
    net.put("turn0")
    for i in range(n):
        net.rule("client", f"waiting message{i}")
        net.rule(f"turn{i} message{i}", f"turn{i + 1}")
    net.rule(f"turn{n}", "turn0 answer")
    net.rule("waiting answer", "client served")
    net.target(" ".join(["turn0", "served"] if broken else ["turn0", f"turn{n}"]))
    return net


def mesh(n, broken):
    """n x n processors, each with one token that is idle or busy; neighbours pass
    work through buffers. Broken: a processor can be idle and busy at once."""
    net = Net()
    cells = [(x, y) for x in range(n) for y in range(n)]
    for x, y in cells:
        c = f"{x}_{y}"
        net.put(f"idle{c}")
        net.put(f"work{c}", 1, (x, y) == (0, 0))
        stays = f"idle{c}" if broken and (x, y) == (n - 1, n - 1) else ""
        net.rule(f"idle{c} work{c}", f"busy{c} {stays}")
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if (x + dx, y + dy) in cells:
                net.rule(f"busy{c}", f"idle{c} work{x + dx}_{y + dy}")
    last = f"{n - 1}_{n - 1}"
    net.target(f"idle{last} busy{last}")
    return net


def kanban(n, broken):
    """Four cells with n cards each; a part needs a card in each cell."""
    net = Net()
    for i in range(4):
        net.put(f"card{i}", n + (broken and i == 3))
        net.rule(f"machine{i}", f"rework{i}")
        net.rule(f"rework{i}", f"machine{i}")
        net.rule(f"machine{i}", f"out{i}")
    net.rule("card0", "machine0")
    net.rule("out0 card1 card2", "card0 machine1 machine2")
    net.rule("out1 out2 card3", "card1 card2 machine3")
    net.rule("out3", "card3")
    net.target(" ".join(["out3"] * (n + 1)))
    return net


def pipeline(n, broken):
    """n stages with a buffer of three between each two."""
    net = Net()
    for i in range(n):
        net.put(f"ready{i}")
        if i:
            net.put(f"space{i}", 3)
        take = f"full{i} ready{i}" if i else "ready0"
        net.rule(take, f"busy{i} " + (f"space{i}" if i else ""))
        give = f"ready{i} " + (f"full{i + 1}" if i + 1 < n else "")
        need = f"space{i + 1}" if i + 1 < n and not (broken and i == n - 2) else ""
        net.rule(f"busy{i} {need}", give)
    net.target(" ".join([f"full{n - 1}"] * 4))
    return net


def prodcons(n, broken):
    """Any number of producers and consumers of n kinds; an unbounded buffer, and
    a lock around it."""
    net = Net()
    net.put("producer", 1, True)
    net.put("consumer", 1, True)
    net.put("lock")
    for i in range(n):
        net.rule("producer lock", f"adds{i}")
        net.rule(f"adds{i}", f"producer lock item{i}")
        net.rule(f"consumer lock item{i}", f"takes{i}")
        net.rule(f"takes{i}", f"consumer lock gone{i}")
    net.target(f"takes0 takes{n - 1}" if not broken else " ".join(f"gone{i}" for i in range(n)))
    if n == 1 and not broken:
        net.targets = [{"takes0": 2}]
    return net


def clocks(n, broken):
    """n clocks that tick each for itself: 2^n markings. Broken: all have ticked."""
    net = Net()
    for i in range(n):
        net.put(f"tick{i}")
        net.rule(f"tick{i}", f"tock{i}")
        net.rule(f"tock{i}", f"tick{i}")
    net.target(" ".join(f"tock{i}" for i in range(n)) + ("" if broken else " tick0"))
    return net


def doubling(n, broken):
    """A token becomes two, n times; one too many is asked for, or not."""
    net = Net()
    net.put("level0")
    for i in range(n):
        net.rule(f"level{i}", f"level{i + 1} level{i + 1}")
    net.target(" ".join([f"level{n}"] * (2**n + (not broken))))
    return net


def threads(n, broken):
    """A program with n global states and any number of threads: each step of the
    program needs a thread that has come as far. The sound one lacks a step."""
    net = Net()
    net.put("start", 1, True)
    net.put("global0")
    net.rule("start", "local0")
    for i in range(n):
        if broken or i != n - 1:
            net.rule(f"global{i} local{i}", f"global{i + 1} local{i + 1}")
        net.rule(f"global{i} local0", f"global0 local{i + 1}")
        net.rule(f"local{i} local{i}", f"local{i} start")
        net.rule(f"global{i}", f"global{i // 2}")
    net.target(f"global{n}")
    return net


def philosophers(n, broken):
    """n philosophers with forks: neighbours never eat at once. Broken: one takes
    his right fork twice."""
    net = Net()
    for i in range(n):
        net.put(f"fork{i}")
        net.put(f"think{i}")
        right = f"fork{(i + 1) % n}" if not (broken and i == 0) else ""
        net.rule(f"think{i} fork{i}", f"has{i}")
        net.rule(f"has{i} {right}", f"eat{i}")
        net.rule(f"eat{i}", f"think{i} fork{i} {right}")
    net.target("eat0 eat1")
    return net


def barrier(n, broken):
    """n phases; each begins when three threads have come. Broken: the last phase
    is reached; sound: two phases are never open at once."""
    net = Net()
    net.put("new", 1, True)
    net.put("phase0")
    net.rule("new", "at0")
    for i in range(n):
        net.rule(f"phase{i} at{i} at{i} at{i}", f"phase{i + 1} at{i + 1} at{i + 1} at{i + 1}")
    net.target(f"phase{n} at{n}" if broken else f"phase{n} phase{n - 1}")
    return net


FAMILIES = {f.__name__: f for f in (mutex, processes, pool, mesh, kanban, pipeline, prodcons,
                                    clocks, doubling, threads, philosophers, barrier)}

if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in FAMILIES or not sys.argv[2].isdigit():
        sys.exit("usage: families.py <family> <size> [broken]; families: " + ", ".join(FAMILIES))
    print(FAMILIES[sys.argv[1]](int(sys.argv[2]), len(sys.argv) == 4).text(), end="")
