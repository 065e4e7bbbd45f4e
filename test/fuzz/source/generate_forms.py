# ===- generate_forms.py --------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Statements for generate.py's functions that load a value in one form and use it
# in another: as another type, in parts, or out of a copy.
#
# ===----------------------------------------------------------------------===#

# Of these, all bytes can be read as any type.
BYTES = ["garr", "gbrr", "glarr", "gcarr", "gsarr", "gtext", "q"]


def vector(f):
    """What vector intrinsics do: memory has one type of vector, arithmetic another."""
    place = "(%s + %s)" % (f.rng.choice(BYTES), f.pick("0", "(c & 7)", "i", "i", "(n & 3)"))
    lane = f.pick("0", "3", "15", "(c & 15)", "(i & 15)")
    used = f.pick("r += x[%s];" % lane, "if (%s) r += x[%s];" % (f.condition(), lane),
                  "r += x[15]; gca = x[%s];" % lane, "x += 3; AT(v2l_anywhere, gbuf) = (v2l)x;",
                  "x[0] = k; k = x[15];", "r += (%s) ? x[1] : x[2];" % f.condition(),
                  "x = %s ? x : x * 3; r += x[%s];" % (f.condition(), lane),
                  "x = (x > 3) & 5; AT(v2l_anywhere, %s) = (v2l)x;" % place)
    form = f.pick("v16c x = (v16c)AT(v2l_anywhere, %s);", "v4i y = (v4i)AT(v2l_anywhere, %s); v16c x = (v16c)(y + y);",
                  "v16c x; memcpy(&x, %s, 16);") % place
    head = f.pick("for (int i = 0; i < %s; i++)" % f.pick("4", "(n & 7)", "8", "(c & 7)"), "for (int i = 1; i < 2; i++)",
                  "if (%s)" % f.condition(), "")
    between = f.pick("", "", "step(); ", "if (%s) step(); " % f.condition())
    return "{ char k = 1; int i = 0; %s { %s %s%s } r += k + i; }" % (head, form, between, used)


def scalar(f):
    """A number of other bits, or of another pointer's type."""
    kind, place = f.pick(("float", "&ga"), ("int", "&gfa"), ("double", "&gla"), ("long", "&gda"), ("double", "&glarr[c & 7]"),
                         ("float", "&garr[n & 7]"), ("long", "&s->d"), ("int", "&s->f"), ("short", "&gcarr[6]"))
    used = f.pick("r += x > 2;", "if (%s) r += x == 5;" % f.condition(), "r += %s ? x > 1 : n;" % f.condition(), "gda = x;",
                  "memcpy(gbuf, &x, sizeof x);", "%s y; memcpy(&y, &x, sizeof y); r += y > 7;" % ("int" if kind in ("float", "int") else "short"))
    return "{ %s x; memcpy(&x, %s, sizeof x); %s%s }" % (kind, place, f.pick("", "", "step(); "), used)


def object_copy(f):
    """An object is copied, and parts of the copy are used."""
    kind, places, parts = f.pick(
        ("struct pair", ["gpairs[c & 3]", "s->pair", "t->pair"], ["first", "second"]),
        ("struct small", ["gsmalls[n & 3]", "s->small"], ["a", "b", "c"]),
        ("struct wide", ["gwide", "s->wide", "t->wide"], ["a", "b", "c"]),
        ("union mix", ["gmix", "s->mix"], ["i", "h[1]", "c[3]", "u"]),
        ("struct big", ["gbig", "s->big"], ["v[0]", "v[3]", "v[c & 7]"]),
        ("struct packed", ["s->packed", "t->packed"], ["a", "b", "d"]))
    first, second = f.rng.choice(places), f.rng.choice(places)
    made = f.pick("%s x = %s;" % (kind, first), "%s x = %s; if (%s) x = %s;" % (kind, first, f.condition(), second),
                  "%s x = %s ? %s : %s;" % (kind, f.condition(), first, second), "%s w = %s, x = w;" % (kind, first))
    part, other = f.rng.choice(parts), f.rng.choice(parts)
    used = f.pick("r += x.%s;" % part, "if (%s) r += x.%s; else r += x.%s;" % (f.condition(), part, other),
                  "x.%s = n; %s = x;" % (part, second), "r += x.%s; if (%s) %s = x;" % (part, f.condition(), second),
                  "for (int i = 0; i < n; i++) r += x.%s;" % part, "r += %s ? x.%s : x.%s;" % (f.condition(), part, other))
    return "{ %s %s%s }" % (made, f.pick("", "", "step(); "), used)


def statement(f):
    return f.pick(vector, vector, scalar, object_copy, object_copy)(f)
