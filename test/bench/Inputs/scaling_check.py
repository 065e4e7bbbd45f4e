# The model of bench/cores by hand. The folder is the first argument.
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import scaling

LINE = {"writers": 2, "moved_to_write": 8, "held_moves": 8, "held_instructions": 400}
# One thread has a line that others only read: nobody queues for it.
READ = dict(LINE, writers=1, held_moves=800)


def counted(instructions, moved, lines):
    return {
        "operations": 8,
        "instructions": 8 * instructions,
        "moved": 8 * moved,
        "lines": lines,
    }


found = scaling.models(
    {
        ("alone", "atsan", 1): counted(100, 0, []),
        ("alone", "atsan", 2): counted(100, 0, [READ]),
        ("shared", "atsan", 1): counted(100, 0, []),
        # Takes twice as long where threads meet; a quarter of it with the line.
        ("shared", "atsan", 2): counted(200, 2, [LINE]),
    },
    {("alone", "atsan", 1): [10], ("shared", "atsan", 1): [10, 10, 90]},
)
alone, shared = found["alone", "atsan"], found["shared", "atsan", 2]
assert alone.end(60) is None
assert abs(alone.throughput(60, 64) - 6.4) < 1e-9
assert shared.time(35) == 20 + 2 * 35
assert shared.longest(35) == (35 + 20 / 4, 0)
assert shared.throughput(35, 2) == 2 / 90
assert shared.end(35) == 90 / 40
assert abs(shared.throughput(35, 64) - 1 / 40) < 1e-12
