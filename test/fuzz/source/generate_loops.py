# ===- generate_loops.py --------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Whole loops for generate.py's functions: of kinds that the optimizer knows.
#
# ===----------------------------------------------------------------------===#


def idiom(f):
    """A loop as a whole, of kinds that the optimizer knows."""
    array = f.rng.choice(f.arrays)
    other = f.rng.choice(f.arrays)
    mask = f.pick("gused", "garr", "gsarr", "gcarr", "glarr")
    counter = f.pick("ga", "gb", "gla", "gsa", "s->a", "gua", "s->l", "gmix.i", "s->bits.c", "s->pair.first")
    limit = f.pick("n", "n", "64", "16", "1", "3", "(n & 7)", "(c & 1)", "8")
    test = f.pick("%s[i] > 100" % array, "%s[i]" % mask, "%s[i] == 3" % other, f.condition())
    real = f.pick("gfarr", "gdarr")
    up = "for (int i = 0; i < %s; i++)" % limit
    down = "for (int i = %s - 1; i >= 0; i--)" % limit
    steps = "for (int i = 0; i < %s; i += %s)" % (limit, f.pick("2", "3", "4"))
    head = f.pick(up, up, up, up, down, down, steps)
    return f.rng.choice([
        "%s if (%s) %s++;" % (head, test, counter),
        "%s if (%s) %s += %s[i];" % (head, test, counter, f.pick("garr", "gbrr", "gsarr")),
        "%s if (%s[i]) r += %s[i];" % (head, mask, f.pick("garr", "gcarr", "gsarr", "glarr", "gbrr")),
        "%s if (%s[i]) %s[i] = %s;" % (head, mask, array, f.pick("1", "0", "c")),
        "%s if (%s[i]) %s[i] = %s[i];" % (head, mask, array, other),
        "%s if (%s[i]) %s[63 - i] = %s[i];" % (head, mask, array, other),
        "%s if (%s[63 - i]) r += %s[i];" % (head, mask, other),
        "%s if (%s[i] > 1) { %s[i] += 2; }" % (head, mask, array),
        "%s %s[i] += %s;" % (head, real, f.pick("1", "gfa", "gfarr[i]")),
        "%s if (%s[i]) %s[i] = gfarr[i] * 2;" % (head, mask, real),
        "%s if (%s[i] > gda) %s = i;" % (head, real, counter),
        "{ double sum = 0; %s if (%s[i] > 1) sum += %s[i]; if (sum > 9) r++; }" % (head, real, real),
        "%s r += %s[i];" % (head, f.pick("garr", "gcarr", "gsarr", "glarr", "p", "q")),
        "%s { r += %s; if (%s) break; }" % (head, f.integer(), test),
        "%s { if (%s) { r += i; break; } }" % (head, test),
        "%s { if (garr[i] == %s) break; if (gbrr[i]) continue; r += gsarr[i]; }" % (head, f.number()),
        "%s %s[i] = %s[i];" % (head, array, other), "%s %s[i] = 0;" % (head, array),
        "%s r += garr[gsarr[i] & 63];" % head, "%s if (gused[i]) r += garr[gsarr[i] & 63];" % head,
        "%s if (gused[i]) garr[gsarr[i] & 63] = i;" % head,
        "%s r += gpairs[i & 15].first;" % head, "%s if (gused[i]) r += gpairs[i & 15].second;" % head,
        "for (int i = 0;; i++) { r += %s; if (unlikely(i == n)) step(); if (i >= n) break; }" % f.integer(),
        "for (int i = 0; i < n; i++) { r += %s; if (unlikely(%s)) step(); }" % (f.integer(), f.condition()),
        "for (int i = 0; i < %s; i++) { if (%s) %s; r += %s; }" % (limit, f.condition(), f.pick("step()", "continue", "r += opaque(i)"), f.integer()),
        "while (n-- > 0) { if (%s) break; r += garr[n]; } n++;" % f.condition(),
        "{ int i = 0; do { r += %s; } while (++i < %s && !(%s)); }" % (f.integer(), limit, f.condition()),
        "{ int best = 0; %s if (garr[i] > garr[best]) best = i; r += best; }" % head,
        "{ int m = p[0]; %s m = m < garr[i] ? m : garr[i]; %s = m; }" % (head, counter),
        "%s { for (int j = 0; j < (c & 3); j++) if (garr[i] > gbrr[j]) %s++; }" % (head, counter),
        "%s { %s = i; if (%s) %s = garr[i]; }" % (head, counter, test, counter),
        "%s { if (%s) %s = i; }" % (head, test, counter),
        "%s { int k = %s; if (garr[i]) r += k; }" % (head, f.integer()),
        "%s { if (c) r += %s; else r += i; }" % (head, f.integer()),
        f.kept_over_rounds(head), f.kept_for_a_choice(), f.kept_for_a_choice(),
        vectorized(f),
        f.ways_to_one_cell(), f.ways_to_one_cell(), f.ways_to_one_cell(),
        "for (int i = 0; q[i] && i < 63; i++) r += q[i];",
        "for (int i = 0; i < 63 && q[i] != 'c'; i++) %s++;" % counter,
        "{ int i = 0; while (i < %s && garr[i] == gbrr[i]) i++; r += i; }" % limit,
    ])


def vectorized(f):
    """It becomes vectors whose loads read what only some rounds of the loop read."""
    return two_loops(f) if f.chance(.3) else written_by_rounds(f)


def pragma(f):
    """What it asks for does not change what is read, but makes more loops vectors."""
    return f.pick("", "", '_Pragma("clang loop vectorize(enable)")\n',
                  '_Pragma("clang loop unroll(disable) vectorize_width(4) interleave_count(%s)")\n' % f.pick(1, 2))


def written_by_rounds(f):
    """Each round writes what it reads under a condition, through one pointer: vectors have no mask for that."""
    kind, place, limit, step = f.pick(
        ("int", "garr[i]", 64, 1), ("char", "gcarr[i]", 64, 1), ("short", "gsarr[i]", 64, 2), ("long", "glarr[i]", 64, 2),
        ("int", "p[i]", 64, 3), ("float", "gfarr[i]", 60, 3), ("float", "gfarr[i]", 64, 4), ("double", "gdarr[i]", 64, 2),
        ("int", "gpairs[i].first", 16, 1), ("int", "gpairs[i].second", 16, 1))
    condition = f.pick("gused[i]", "gused[i] & 1", "gbrr[i] > 3", "n + i & 1", "i & 1", "i < 3", "c")
    head = "%sfor (int i = 0; i < %d; i += %d)" % (pragma(f), f.pick(min(limit, 4 * step), min(limit, 8 * step), limit, limit), step)
    if f.chance(.4):
        return "{ %s x = 0; %s { %s *a = &%s; if (%s) x += *a; *a = %s; } r += x > 2; }" % (
            kind, head, kind, place, condition, f.pick("0", "i", "n"))
    made = "z * z * 1.5f + z / 7" if kind in ("float", "double") else f.pick("z * z * 3 + (z ^ 5) * 7", "z + 1", "z")
    return "%s { %s z = 3, *a = &%s; if (%s) z = %s; *a = %s; }" % (
        head, kind, place, condition, f.pick("*a", "*a", "*a * 3", "*a + i"), made)


def two_loops(f):
    """Both ways of a branch go over the same memory, of which one may leave some out."""
    kind, array = f.pick(("char", "gcarr"), ("char", "gcarr"), ("int", "garr"), ("short", "gsarr"))
    head = "%sfor (int i = 0; i < %d; i++)" % (pragma(f), f.pick(4, 4, 4, 8, 16, 64))
    whole = "%s %s;" % (head, f.pick("x += %s[i]" % array, "%s[i] *= 3" % array))
    part = "%s { %s *a = &%s[i]; if (%s) x += *a; *a = %s; }" % (
        head, kind, array, f.pick("i & 1", "i < 3", "n & 1", "gused[i] & 1"), f.pick("0", "i", "x"))
    ways = (whole, part) if f.chance(.5) else (part, whole)
    return "{ %s x = 0; if (%sc) { %s } else { %s } r += x; }" % (kind, f.pick("", "!"), *ways)


def over_local(f):
    """A whole body: of memory that is known to exist, a masked load may read more than its mask says."""
    kind, size = f.pick(("int", 16), ("char", 64), ("short", 32), ("long", 8))
    ways = []
    for _ in range(f.pick(1, 1, 2)):
        limit = f.pick("(n & %d)" % (size - 1), "(n & %d)" % (size - 1), "(n & 3)", "4", "8", str(size))
        head = "%sfor (int i = 0; i < %s; i++)" % (f.pick(
            "", "", '_Pragma("clang loop vectorize_predicate(enable) vectorize_width(%s)")\n' % f.pick(4, 8),
            '_Pragma("clang loop unroll(disable) vectorize_width(8) interleave_count(1)")\n'), limit)
        ways.append("%s %s" % (head, f.pick(
            "r += m[i];", "m[i]++;", "if (gbrr[i] > 3) r += m[i];", "if (gused[i]) m[i] = i;", "r += gbrr[i] * m[i];",
            "{ %s z = 1; if (gused[i] & 1) z = m[i]; m[i] = z * 3; }" % kind, "for (int j = 0; j < (c & 3); j++) m[j]++;",
            "if (m[i] > %s) break;" % f.pick("n", "3"), "if (gused[i] && m[i] > 1) gbrr[i] = m[i];")))
    start = ["%s m[%d] = {1, (%s)n, (%s)c, 4};" % (kind, size, kind, kind), "share(m, sizeof m);"]
    if len(ways) == 1:
        return start + ways
    first = f.pick("", "", "int x = gbrr[0] * gbrr[1]; r += x;")
    return start + ["if (%sc) { %s %s } else { %s }" % (f.pick("", "!"), first, *ways)]
