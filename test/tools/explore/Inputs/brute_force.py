# ===- brute_force.py ------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# A small model of threads, and all its interleavings: what real programs of the
# same text are compared with. It shares no code with the runtime.
#
# A program is a list of threads, a thread a list of operations, each a tuple:
#   ("r", v) ("w", v, n) ("u", v)       plain memory: last = v; v = n + last % 2;
#                                       both, as two steps
#   ("ar", v) ("aw", v, n) ("au", v)    atomic memory, one step each
#   ("lock", m) ("unlock", m) ("try", m)   last = whether it was taken
#   ("rlock", l) ("wlock", l) ("rwunlock", l)
#   ("wait", c, m) ("signal", c) ("broadcast", c)
#   ("down", s) ("up", s)
#   ("begin",) ("end",)                 of a region
#   ("loop", v, n)                      reads v until it is odd, n times at most
#   ("set", v)                          v = 1, one step
#   ("poll", v, m...)                   takes the locks, reads v and gives the locks
#                                       back, until v is odd
#   ("create", t) ("join", t)
# and ("if", parity, operation) for one that is executed if last % 2 == parity,
# ("if_owner", m, operation) for one that is executed if the thread has the lock.
#
# ===----------------------------------------------------------------------===#


# A poll reads what lets it go on after so many rounds that did not: more of them would
# change nothing.
POLLS_IN_VAIN = 2


class State:
    """A machine in the middle of a run."""

    def __init__(self, program, initial):
        n = len(program)
        self.pc = [0] * n
        self.phase = [0] * n
        self.in_vain = [0] * n
        self.last = [0] * n
        self.seen = [0] * n
        self.began = [i == 0 for i in range(n)]
        self.memory = dict(initial)
        self.owner = {}
        self.readers = {}
        self.waiting = {}
        self.tokens = {}

    def copy(self):
        other = State.__new__(State)
        other.pc = self.pc[:]
        other.phase = self.phase[:]
        other.in_vain = self.in_vain[:]
        other.last = self.last[:]
        other.seen = self.seen[:]
        other.began = self.began[:]
        other.memory = dict(self.memory)
        other.owner = dict(self.owner)
        other.readers = dict(self.readers)
        other.waiting = {c: list(w) for c, w in self.waiting.items()}
        other.tokens = {c: list(t) for c, t in self.tokens.items()}
        return other


def step_of_poll(op, phase):
    variable, locks = op[1], op[2:]
    if phase < len(locks):
        return ("lock", locks[phase])
    if phase == len(locks):
        return ("r", variable)
    return ("unlock", locks[2 * len(locks) - phase])


def polls_in_vain(program, state, t):
    """Whether the thread begins a round that yields nothing new."""
    if state.pc[t] == len(program[t]) or not state.began[t]:
        return False
    op = program[t][state.pc[t]]
    return (op[0] == "poll" and state.phase[t] == 0 and state.in_vain[t] == POLLS_IN_VAIN
            and state.memory.get(op[1], 0) % 2 == 0)


def execute_poll(op, state, t):
    if state.phase[t] == len(op) - 2:
        state.last[t] = state.memory.get(op[1], 0)
    step = step_of_poll(op, state.phase[t])
    if step[0] == "lock":
        state.owner[step[1]] = t
    elif step[0] == "unlock":
        del state.owner[step[1]]
    state.phase[t] += 1
    if state.phase[t] <= 2 * (len(op) - 2):
        return
    state.phase[t] = 0
    if state.last[t] % 2:
        state.in_vain[t] = 0
        state.pc[t] += 1
    else:
        state.in_vain[t] = min(state.in_vain[t] + 1, POLLS_IN_VAIN)


def operation(program, state, t):
    """The next operation of the thread, or None."""
    while state.pc[t] < len(program[t]):
        op = program[t][state.pc[t]]
        if op[0] == "poll":
            return step_of_poll(op, state.phase[t])
        if op[0] not in ("if", "if_owner"):
            return op
        if op[0] == "if" and state.last[t] % 2 == op[1]:
            return op[2]
        if op[0] == "if_owner" and state.owner.get(op[1]) == t:
            return op[2]
        state.pc[t] += 1
    return None


def ended(program, state, t):
    return state.began[t] and operation(program, state, t) is None


def ready(program, state, t):
    op = operation(program, state, t)
    if op is None or not state.began[t] or polls_in_vain(program, state, t):
        return False
    kind = op[0]
    if kind == "lock":
        return op[1] not in state.owner
    if kind == "rlock":
        return op[1] not in state.owner
    if kind == "wlock":
        return op[1] not in state.owner and not state.readers.get(op[1])
    if kind == "wait" and state.phase[t]:
        woken = any(t in group for group in state.tokens.get(op[1], []))
        return woken and op[2] not in state.owner
    if kind == "down":
        return state.memory.get(op[1], 0) > 0
    if kind == "join":
        return ended(program, state, op[1])
    return True


def touches(program, state, t):
    """What the next step touches: (object, whether it changes it)."""
    op = operation(program, state, t)
    kind = op[0]
    if kind in ("r", "ar", "loop"):
        return [(op[1], False)]
    if kind == "u":
        return [(op[1], state.phase[t] == 1)]
    if kind in ("w", "aw", "au", "set", "lock", "unlock", "try", "wlock", "signal", "broadcast",
                "down", "up", "rwunlock"):
        return [(op[1], True)]
    if kind == "rlock":
        return [(op[1], False)]
    if kind == "wait":
        return [(op[1], True), (op[2], True)]
    return []


def look(state, t, value):
    state.last[t] = value
    # As int does, in C.
    state.seen[t] = (state.seen[t] * 7 + value + 2**31) % 2**32 - 2**31


def execute(program, state, t):
    op = operation(program, state, t)
    kind = op[0]
    memory = state.memory
    if program[t][state.pc[t]][0] == "poll":
        execute_poll(program[t][state.pc[t]], state, t)
        return
    if kind in ("r", "ar"):
        look(state, t, memory.get(op[1], 0))
    elif kind in ("w", "aw"):
        memory[op[1]] = op[2] + state.last[t] % 2
    elif kind == "set":
        memory[op[1]] = 1
    elif kind == "u":
        if state.phase[t] == 0:
            look(state, t, memory.get(op[1], 0))
            state.phase[t] = 1
            return
        memory[op[1]] = state.last[t] * 3 + 1
    elif kind == "au":
        look(state, t, memory.get(op[1], 0))
        memory[op[1]] = state.last[t] + 3
    elif kind in ("lock", "wlock"):
        state.owner[op[1]] = t
    elif kind == "unlock":
        del state.owner[op[1]]
    elif kind == "try":
        look(state, t, int(op[1] not in state.owner))
        if state.last[t]:
            state.owner[op[1]] = t
    elif kind == "rlock":
        state.readers[op[1]] = state.readers.get(op[1], 0) + 1
    elif kind == "rwunlock":
        if state.owner.get(op[1]) == t:
            del state.owner[op[1]]
        else:
            state.readers[op[1]] -= 1
    elif kind == "wait":
        waiting = state.waiting.setdefault(op[1], [])
        if not state.phase[t]:
            waiting.append(t)
            del state.owner[op[2]]
            state.phase[t] = 1
            return
        tokens = state.tokens[op[1]]
        tokens.remove(next(group for group in tokens if t in group))
        waiting.remove(t)
        state.owner[op[2]] = t
    elif kind in ("signal", "broadcast"):
        waiting = state.waiting.get(op[1], [])
        tokens = state.tokens.setdefault(op[1], [])
        for _ in range(len(waiting) if kind == "broadcast" else 1):
            if len(tokens) < len(waiting):
                tokens.append(list(waiting))
    elif kind == "down":
        memory[op[1]] -= 1
    elif kind == "up":
        memory[op[1]] = memory.get(op[1], 0) + 1
    elif kind == "loop":
        look(state, t, memory.get(op[1], 0))
        state.phase[t] += 1
        if state.last[t] % 2 == 0 and state.phase[t] < op[2]:
            return
    elif kind == "create":
        state.began[op[1]] = True
    state.phase[t] = 0
    state.pc[t] += 1


def conflict(a, b):
    return any(x == y and (p or q) for x, p in a for y, q in b)


def trace_form(log):
    """The same for runs that differ in the order of independent steps only."""
    count = {}
    names = []
    form = []
    for t, touched, *_ in log:
        index = count[t] = count.get(t, 0) + 1
        before = tuple(sorted(name for name, (u, other, *_) in zip(names, log)
                              if u != t and touched and conflict(other, touched)))
        names.append((t, index))
        form.append((t, index, before))
    return tuple(sorted(form))


ACCESSES = ("r", "w", "u", "ar", "aw", "au", "set", "loop")


def is_serializable(log):
    """Whether the regions can be put one behind the other."""
    transactions, of, open_region, last = 0, [], {}, {}
    edges = set()
    for t, touched, kind, *of_what in log:
        if kind == "begin":
            open_region[t] = transactions
            if t in last:
                edges.add((last[t], transactions))
            last[t] = transactions
            transactions += 1
        elif t not in open_region:
            if t in last:
                edges.add((last[t], transactions))
            last[t] = transactions
            transactions += 1
        of.append(last[t])
        # What a thread does comes behind its start and before its join.
        if kind == "create":
            last[of_what[0]] = last[t]
        elif kind == "join" and last.get(of_what[0], last[t]) != last[t]:
            edges.add((last[of_what[0]], last[t]))
        if kind == "end":
            del open_region[t]
    for i, (t, touched, kind, *_) in enumerate(log):
        if kind not in ACCESSES:
            continue
        for j in range(i):
            u, other, other_kind, *_ = log[j]
            if (u != t and other_kind in ACCESSES and conflict(other, touched)
                    and of[i] != of[j]):
                edges.add((of[j], of[i]))
    after = {}
    for a, b in edges:
        after.setdefault(a, []).append(b)
    colour = {}

    def has_cycle(a):
        colour[a] = 1
        for b in after.get(a, []):
            if colour.get(b) == 1 or (b not in colour and has_cycle(b)):
                return True
        colour[a] = 2
        return False

    return not any(a not in colour and has_cycle(a) for a in list(after))


class TooMany(Exception):
    pass


def explore(program, limit, initial=()):
    """All that can happen: (outcomes, classes, whether some run is not serializable,
    whether some deadlocks, or polls for ever)."""
    outcomes, classes = set(), set()
    found = {"violation": False, "deadlock": False, "livelock": False, "runs": 0}
    log = []

    def complete(state):
        found["runs"] += 1
        if found["runs"] > limit:
            raise TooMany
        form = trace_form(log)
        if form not in classes:
            classes.add(form)
            found["violation"] |= not is_serializable(log)
        if all(ended(program, state, t) for t in range(len(program)) if state.began[t]):
            outcomes.add((tuple(sorted(x for x in state.memory.items() if x[0][0] in "xa")),
                          tuple(state.seen)))
        elif any(polls_in_vain(program, state, t) for t in range(len(program))):
            found["livelock"] = True
        else:
            found["deadlock"] = True

    def go_on(state):
        any_ready = False
        for t in range(len(program)):
            if not ready(program, state, t):
                continue
            any_ready = True
            following = state.copy()
            op = operation(program, state, t)
            log.append((t, touches(program, state, t), *op[:2]))
            execute(program, following, t)
            go_on(following)
            log.pop()
        if not any_ready:
            complete(state)

    go_on(State(program, initial))
    return outcomes, classes, found
