# ===- generate.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Random functions in C over the memory of shared.h. A body is a list of
# statements: a text, or a list that alternates between texts and bodies, such as
# ["if (c) {", [...], "} else {", [...], "}"], so that a shrinker can take parts
# away. It is one file since each kind of statement is made of the others: a shape
# of its own would call half of the rest. (Whole loops are in generate_loops.py,
# statements of C++ in generate_cxx.py.)
#
# Every function is defined: indices are masked, signed arithmetic wraps
# (-fwrapv), loops end, what is freed or out of scope is not used.
#
# ===----------------------------------------------------------------------===#

import generate_forms
import generate_loops

INTS = (
    "ga gb gc gd s->a s->b t->a t->b gnode.a s->next->a s->next->next->b s->pair.first"
    " t->pair.second gmix.i s->mix.i s->packed.b gwide.b s->wide.b *gptr"
).split()
SMALLS = (
    "gla glb s->l gsa gca gcb gflag gua gus s->h s->k s->flag s->u s->bits.a s->bits.b"
    " s->bits.c s->bits.d s->bits.e s->bits.f t->bits.g gbits.a gbits.c gbits.d gbits.e"
    " gmix.h[0] gmix.c[3] gmix.l s->mix.c[1] s->small.a s->small.c s->packed.a s->packed.c"
    " s->packed.d gwide.a gwide.c"
).split()
FLOATS = "gfa gda gld s->f s->d s->ld".split()
ARRAYS = (
    ["p", "garr", "gbrr", "garr", "gbrr"]
    + "glarr gsarr gcarr gused q".split()
)
WORDS = ["", "a", "ab", "abc", "abcd", "abcdef", "abcdefg", "abcdefgh", "abcdefghabcd",
         "z", "abcdefghabcdefgh", "abcdefghabcdefghabcdefghabcdefgh"]
COMPARISONS = ["<", ">", "==", "!=", "<=", ">="]


# Shared only with share().
LOCALS = (("l0", "int l0 = c;\n  "), ("l1", "static int l1;\n  l1 = n;\n  "),
          ("l2[0]", "int *l2 = new_numbers();\n  "))


class Function:
    """One random function; self.helpers are functions that it calls."""

    arrays = ARRAYS

    def __init__(self, rng, name, cxx=None):
        self.rng, self.name, self.cxx = rng, name, cxx
        self.helpers = []
        self.loops = []
        self.depth = 0
        self.labels = 0
        self.locals = []
        self.escaping = []
        self.body = self.make_body()

    # --- Choices ---

    def pick(self, *items):
        return self.rng.choice(items)

    def chance(self, p):
        return self.rng.random() < p

    def number(self):
        return str(self.pick(0, 1, 1, 2, 3, 5, 7, 16, 100, 100, 127, -1))

    # --- Expressions ---

    def index(self):
        choices = ["%d" % self.rng.randrange(64), "(n & 63)", "(c & 63)", "(v0 & 63)"]
        for i in self.loops[-1:]:
            choices += [i] * 8 + ["(%s + 1 & 63)" % i, "(63 - %s)" % i, "(%s & 7)" % i,
                                  "(%s * 2 & 63)" % i, "(garr[%s] & 63)" % i,
                                  "(gsarr[%s] & 63)" % i]
        return self.rng.choice(choices)

    def element(self):
        array = self.rng.choice(ARRAYS)
        return "%s[%s]" % (array, self.index())

    def integer(self):
        """A shared int."""
        kind = self.rng.randrange(13)
        if kind < 5:
            return self.rng.choice(INTS)
        if kind < 7:
            return "%s[%s]" % (self.pick("p", "garr", "gbrr"), self.index())
        if kind == 7:
            return "s->arr[%s & 7]" % self.index()
        if kind == 8:
            return "gpairs[%s & 15].%s" % (self.index(), self.pick("first", "second"))
        if kind == 9 and self.depth < 3:
            self.depth += 1
            text = "*(%s ? &%s : &%s)" % (self.condition(), self.addressed(), self.addressed())
            self.depth -= 1
            return "(%s)" % text
        if kind == 10 and self.escaping:
            return self.rng.choice(self.escaping)
        return self.pick("ga", "gb", "gc", "gd")

    def addressed(self):
        choices = ["ga", "gb", "gc", "s->a", "t->b", "gnode.b", "garr[%s]" % self.index()]
        choices += self.escaping * 2
        return self.rng.choice(choices)

    def shared(self):
        kind = self.rng.randrange(10)
        if kind < 5:
            return self.integer()
        if kind < 8:
            return self.rng.choice(SMALLS)
        return self.element()

    def value(self):
        """An integer expression."""
        if self.depth > 2:
            return self.pick("v0", "v1", "n", "c", self.number(), *self.loops[-1:])
        self.depth += 1
        kind = self.rng.randrange(22)
        if kind < 6:
            text = self.integer()
        elif kind < 8:
            text = "(long)" + self.shared()
        elif kind < 10:
            text = self.pick("v0", "v1", "n", "c")
        elif kind == 10:
            text = self.number()
        elif kind < 13:
            text = "%s %s %s" % (self.value(), self.pick("+", "-", "*", "&", "|", "^"), self.value())
        elif kind < 16:
            arms = [self.value(), self.value()]
            if self.chance(0.4):
                arms[self.rng.randrange(2)] = self.number()
            text = "%s ? %s : %s" % (self.condition(), *arms)
        elif kind == 16:
            text = self.condition()
        elif kind == 17:
            a, b = self.integer(), self.integer()
            text = "%s %s %s ? %s : %s" % (a, self.pick("<", ">"), b, a, b)
        elif kind == 18:
            text = self.text_value()
        elif kind == 19:
            text = "%s >> %d" % (self.value(), self.rng.randrange(8))
        elif kind == 20:
            text = "%s(%s)" % (self.helper(), self.helper_arguments())
        else:
            text = "%s / %d" % (self.value(), self.pick(2, 3, 10))
        self.depth -= 1
        return "(%s)" % text

    def condition(self):
        if self.depth > 3:
            return self.pick("c", "n > 3", "v0 & 1", "v1 > 0")
        self.depth += 1
        kind = self.rng.randrange(17)
        if kind < 4:
            text = self.pick("c", "c == 1", "c > 1", "n > 5", "v0 & 1", "n & 1", "!c", "s == t")
        elif kind < 8:
            text = "%s %s %s" % (self.value(), self.rng.choice(COMPARISONS), self.number())
        elif kind == 8:
            text = "%s %s %s" % (self.value(), self.rng.choice(COMPARISONS), self.value())
        elif kind < 11:
            text = "%s %s %s" % (self.condition(), self.pick("&&", "||"), self.condition())
        elif kind == 11:
            text = "%s(%s)" % (self.pick("likely", "unlikely"), self.condition())
        elif kind == 12:
            text = self.shared()
        elif kind == 13:
            text = "!%s" % self.shared()
        elif kind == 14:
            text = "%s > 100" % self.element()
        elif kind == 15:
            text = "%s %s %s" % (self.rng.choice(FLOATS), self.pick("<", ">"), self.rng.choice(FLOATS + ["0", "1.5"]))
        else:
            text = self.text_value() + self.pick("", " == 0")
        self.depth -= 1
        return "(%s)" % text

    # --- Text and memory ---

    def string(self):
        return self.pick("gbuf", "gtext", "gtwin", "s->text", "t->text", "gnode.text", "q")

    def long_string(self):
        return self.pick("gtext", "gtwin", "q", "gcarr")

    def size(self, limit):
        if self.chance(0.35):
            # Not more than the object has.
            return "(n & %d)" % (limit - 1)
        sizes = [x for x in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 48, 64) if x <= limit]
        return str(self.rng.choice(sizes))

    def word(self):
        return self.rng.choice(WORDS)

    def text_value(self):
        a, b = self.string(), self.string()
        word = self.word()
        letter = self.pick("'a'", "'b'", "'c'", "'z'", "0", "(c + 97)")
        constant = '"%s"' % word
        size = self.size(16)
        fits = str(self.rng.randrange(len(word) + 2))
        long = [self.long_string(), self.long_string()]
        far = self.size(64)
        compare = self.rng.choice([
            "strcmp(%s, %s)" % (a, constant), "strcmp(%s, %s)" % (a, constant),
            "strcmp(%s, %s)" % (a, b), "strcmp(%s, %s)" % (constant, a),
            "strncmp(%s, %s, %s)" % (a, constant, fits),
            "strncmp(%s, %s, %s)" % (a, constant, size),
            "strncmp(%s, %s, %s)" % (a, b, size),
            "memcmp(%s, %s, %s)" % (a if len(word) < 15 else long[0], constant, fits),
            "memcmp(%s, %s, %s)" % (a, b, size), "memcmp(%s, %s, %s)" % (a, b, size),
            "memcmp(%s, %s, %s)" % (*long, far), "memcmp(%s, %s, %s)" % (*long, far),
            "memcmp(&s->pair, &t->pair, 8)", "memcmp(&ga, &s->a, 4)",
            "memcmp(s->arr, t->arr, %s)" % self.size(32),
            "__builtin_memcmp(%s, %s, %s)" % (a, b, self.pick("2", "4", "8", "16", "3")),
        ])
        # Only the sign is specified.
        compare += self.pick(" == 0", " == 0", " != 0", " < 0", " > 0")
        if self.chance(0.5):
            return "(%s)" % compare
        return self.rng.choice([
            "(bcmp(%s, %s, %s) == 0)" % (*long, far),
            "(int)strlen(%s)" % a, "(int)strlen(%s)" % a, "(strlen(%s) > 3)" % a,
            "(int)strnlen(%s, %s)" % (a, size),
            "(strchr(%s, %s) != 0)" % (a, letter), "(strrchr(%s, %s) != 0)" % (a, letter),
            "(memchr(%s, %s, %s) != 0)" % (a, letter, size),
            '(memchr("abz", %s[0], 3) != 0)' % a, '(strchr("abz", %s[1]) != 0)' % a,
            "(strstr(%s, %s) == %s)" % (a, constant, a), "(strstr(%s, %s) != 0)" % (a, constant),
            "(%s[0] == 'a' && %s[1] == 'b' && %s[2] == 'c')" % (a, a, a),
        ])

    def memory_statement(self):
        a, b = self.rng.sample(["gtext", "gtwin", "gcarr", "gused"], 2)
        size = self.size(64)
        half = self.size(32)
        word = self.rng.choice(WORDS[:-2])
        short = self.size(16)
        return self.rng.choice([
            "memcpy(%s, %s, %s);" % (a, b, size), "memset(%s, %s, %s);" % (a, self.pick("0", "c", "1"), size),
            "memmove(%s + 8, %s, %s);" % (a, a, half), "memmove(%s, %s + %d, %s);" % (a, a, self.rng.randrange(1, 9), half),
            "memcpy(&gmix, &ga, 4);", "memcpy(&v0, %s, 4);" % b, "memcpy(%s, &v1, 4);" % a,
            "{ long w; memcpy(&w, %s + %d, 8); v0 += w; }" % (b, self.rng.randrange(8)),
            "memset(&s->pair, 0, sizeof s->pair);", "memcpy(s->arr, t->arr, %s);" % half if a < b else "memmove(s->arr, t->arr, %s);" % half,
            "memset(s->arr, 0, %s);" % half, "memset(garr, 0, %s * 4);" % self.size(64),
            'strcpy(s->text, "%s");' % word[:15], 'strcpy(%s, gbuf);' % self.pick("gtext", "gtwin"),
            "strncpy(gbuf, s->text, %s); gbuf[15] = 0;" % short,
            'strncpy(gbuf, "%s", %s); gbuf[15] = 0;' % (word, short),
            'strcpy(gbuf, "ab"); strcat(gbuf, "%s");' % word[:8],
            "{ char local[16]; memcpy(local, %s, 16); v0 += local[c & 15]; }" % b,
            "{ char local[16]; memcpy(local, %s, %s); v0 += local[0]; }" % (b, self.pick("4", "8", "16")),
        ]).replace("memcpy(s->arr, t->arr", "memmove(s->arr, t->arr")

    # --- Statements ---

    def label(self):
        self.labels += 1
        return "out%d" % self.labels

    def store(self):
        target, value = self.shared(), self.value()
        kind = self.rng.randrange(8)
        if self.loops and "flag" not in target and kind == 0:
            return "%s++;" % target
        if kind == 1 and "flag" not in target:
            return "%s %s= %s;" % (target, self.pick("+", "-", "|", "&", "^"), value)
        if kind == 2:
            return "if (%s < %s) %s = %s;" % (target, value, target, value)
        if kind == 3:
            a = self.rng.choice(FLOATS)
            return "%s %s %s;" % (a, self.pick("=", "+="), self.rng.choice(FLOATS + ["1", "(float)n"]))
        return "%s = %s;" % (target, value)

    def local_store(self):
        return "%s %s %s;" % (self.pick("v0", "v1", "r", "r"), self.pick("=", "+=", "+=", "^="), self.value())

    def shared_visible(self):
        return self.pick(
            "step();", "step();", "r += opaque(%s);" % self.pick("c", "n", "v0"),
            "gvolatile[0] = v0;", "r += gvolatile[1];", "v1 = gvolatile[0];",
            # Loads may be made earlier than these, with no acquire between.
            "__atomic_store_n(&grelaxed[0], v1, __ATOMIC_%s);" % self.pick("RELAXED", "RELEASE", "SEQ_CST"),
            "r += __atomic_load_n(&grelaxed[1], __ATOMIC_RELAXED);",
            "r += __atomic_load_n(&gatomic[1], __ATOMIC_%s);" % self.pick("ACQUIRE", "SEQ_CST"),
            "r += __atomic_fetch_add(&grelaxed[0], c | 1, __ATOMIC_RELAXED);",
            "r += __atomic_fetch_add(&gatomic[0], c | 1, __ATOMIC_ACQ_REL);",
            "{ int old = 1; r += __atomic_compare_exchange_n(&gatomic[1], &old, n, 0, 5, 5); }",
            # The recorder knows this instruction.
            "__atomic_thread_fence(__ATOMIC_SEQ_CST);", '__asm__ volatile("sfence" ::: "memory");',
        )

    def by_value(self):
        a = self.pick("gwide", "s->wide", "gwide")
        b = self.pick("gbig", "s->big", "t->big")
        i = self.pick("c", "n", "3")
        return self.rng.choice([
            "r += opaque_wide(%s);" % a, "r += opaque_big(%s, %s);" % (b, i),
            "%s = make_big(n);" % b, "{ struct big x = make_big(c); if (%s) %s = x; }" % (self.condition(), b),
            "r += take_wide(%s, %s);" % (a, i), "r += take_big(%s, %s);" % (b, i),
            "if (%s) r += take_big(%s, %s);" % (self.condition(), b, i),
            "r += take_small(gsmalls[%s & 7]);" % i, "%s = turn_big(%s);" % (b, self.pick("gbig", "s->big")),
            "gbig = s->big;", "{ struct big x = %s; x.v[c & 7] = 1; r += opaque_big(x, n); }" % b,
            "{ struct big x = %s ? gbig : s->big; r += x.v[%s & 7]; }" % (self.condition(), i),
        ])

    def in_parts(self):
        """A value of which each use needs other bytes."""
        element = "[%s]" % self.index()
        load = self.pick("long x = gla", "long x = s->l", "int x = ga", "unsigned x = gua", "unsigned x = s->mix.u",
                         "long x = glarr" + element, "int x = garr" + element, "long x; memcpy(&x, q, 8)")
        def some():
            return self.pick("x", "x", "x", "(x >> 8)", "(x >> 16)", "(x >> 24)", "x / 3", "x % 100", "(x & 256)", "x * 3", "(x > 3)",
                             "(unsigned char)x", "(unsigned char)(x >> 8)", "(short)x", "(int)__builtin_bswap32(x)", "__builtin_popcountl(x)")
        choice = self.pick("%s ? %s : %s" % (self.condition(), some(), some()),
                           "%s > %s ? %s : %s" % (some(), self.number(), some(), self.value()),
                           "%s && %s ? %s : %s" % (self.condition(), some(), self.value(), some()))
        to = self.pick("gca = %s", "gsa = %s", "gb = %s", "gla = %s", "r += %s", "r += (%s) & 0xff", "r += (char)(%s)", "gcarr" + element + " = %s")
        between = self.pick("", "", "", "step(); ", "if (%s) step(); " % self.condition())
        return "{ %s; %s%s; }" % (load, between, to % choice)

    def idiom(self):
        a, b = self.rng.sample(["ga", "gb", "gc", "gd", "s->a", "t->b", "gnode.a"], 2)
        e = self.value
        k = self.rng.randrange
        return self.rng.choice([
            lambda: ["{ int x = %s ? %s : %s; int y = %s ? 1 : %s; r += x * 3 + y; }" % (cc, a, b, cc, b) for cc in [self.condition()]][0],
            lambda: "{ int x = %s; r += x; r += *(%s ? &%s : &%s); }" % (a, self.condition(), a, b),
            lambda: "{ int l = %d; int *x = %s ? &l : &%s; r += *x; }" % (k(9), self.condition(), a),
            lambda: "{ int l = %d; const int *x = &l; if (%s) x = &%s; r += *x; }" % (k(9), self.condition(), a),
            lambda: "{ int *x = %s ? &%s : &%s; *x = %s; }" % (self.condition(), a, b, e()),
            lambda: "{ int *x = %s ? &%s : &%s; *x += %s; }" % (self.condition(), a, b, e()),
            lambda: "{ struct pair x = s->pair; if (%s) x = t->pair; r += x.first; }" % self.condition(),
            lambda: "{ struct pair x = %s ? s->pair : t->pair; r += x.second; }" % self.condition(),
            lambda: "{ struct small x = gsmalls[%d]; if (%s) r += x.a; else r += x.c; }" % (k(8), self.condition()),
            lambda: "{ struct wide x = gwide; if (%s) x.b = %s; s->wide = x; }" % (self.condition(), self.number()),
            lambda: "s->pair = t->pair;", lambda: "gsmalls[1] = gsmalls[%d];" % k(2, 8),
            lambda: "{ struct packed x = s->packed; r += x.b + x.d; }",
            # Of vectors as a whole: what an element's access is, no two levels agree.
            lambda: "gv4 = gv4 + %d;" % k(9), lambda: "if (%s) gv8 += gv8;" % self.condition(),
            lambda: "{ v4i x = %s ? gv4 : gv4 + 1; gv4 = x; }" % self.condition(),
            lambda: "{ int x = %s; if (%s) x = %s; r += x; }" % (a, self.condition(), b),
            lambda: "{ int x = 0; if (%s) x = %s; if (%s) r += x; }" % (self.condition(), a, self.condition()),
            lambda: "{ int x = %s; %s; if (%s) r += x; }" % (a, "step()" if self.chance(0.5) else "r++", self.condition()),
            lambda: "r += (%s && %s) ? %s : 0;" % (self.condition(), self.condition(), a),
            lambda: "{ struct node *x = s; for (int i = 0; i < (n & 7); i++) { if (x->a > %s) break; x = x->next; } r += x->b; }" % self.number(),
            lambda: "for (struct node *x = s; x->flag && v0-- > 0 && v0 < 9; x = x->next) r += x->a;",
            lambda: "s->bits.%s = %s; s->bits.%s = %s;" % (self.pick("a", "b", "c"), e(), self.pick("d", "e", "f"), e()),
            lambda: "if (s->bits.a == t->bits.a && s->bits.b == t->bits.b) r++;",
            lambda: "{ union mix x; x.l = s->l; r += x.h[1] + (%s ? x.c[7] : gmix.c[1]); }" % self.condition(),
            lambda: "%s %s= (%s);" % (a, self.pick("+", "|"), self.condition()),
            lambda: "{ int x = %s, y = %s; if (x > y) { %s = y; %s = x; } }" % (a, b, a, b),
            lambda: "if (%s) { %s = %s; } else { %s = %s; }" % (self.condition(), a, e(), a, e()),
            lambda: "switch (%s & 3) { case 0: v1 = %s; break; case 1: v1 = %s; break; case 2: v1 = 7; break; default: v1 = %s; }" % (self.pick("c", "n", "v0"), a, b, self.integer()),
            lambda: "{ int x; switch (c) { case 0: x = %s; break; case 1: x = 3; break; default: x = %s; } r += x; }" % (a, b),
            lambda: "r += s->ld > 1 ? s->huge > ghuge : %s;" % a, lambda: "s->huge += %s;" % e(),
            lambda: "{ const int *x = %s ? &%s : 0; if (x) r += *x; }" % (self.condition(), a),
            lambda: "if (gflag | s->flag) r += %s;" % a,
            lambda: "r += (gus | gca << 16) + q[0] + (q[1] << 8);",
            lambda: "r += ((unsigned char)q[0]) | ((unsigned char)q[1] << 8) | ((unsigned char)q[2] << 16) | ((unsigned)(unsigned char)q[3] << 24);",
            lambda: "q[0] = v0; q[1] = v0 >> 8; q[2] = v0 >> 16; q[3] = v0 >> 24;",
            lambda: "if (q[0] == 'a' && q[1] == 'b' && q[2] == 'c' && q[3] == 'd') r++;",
            lambda: "r += %s ? s->f > 1 : t->d > gda;" % self.condition(),
            lambda: "{ float x = %s ? gfa : s->f; if (x > 1) r++; }" % self.condition(),
        ])()

    def written_anyway(self):
        """What k reads is written whatever k is: so the optimizer knows that it exists."""
        a, b = self.addressed(), self.addressed()
        return self.pick(
            "int x = 3; for (int i = 0; i < (n & 3) + 1; i++) { if (k) x = %s; %s = i; }" % (a, a),
            "int x = 3, i = 0; do { x = k ? %s : 5; %s = i; } while (i++ < (n & 3));" % (a, a),
            "%s = 1; %s = n; s->a = c; int x = *(k ? &%s : &%s);" % (a, b, a, b))

    def kept_for_a_choice(self):
        """What a condition reads is kept over a visible point, and chosen by another one."""
        a, b, condition = self.integer(), self.integer(), self.condition()
        simple = self.pick("c", "n & 1", "gcarr[0]", "s->flag", condition)
        read = self.pick(
            "int x = k ? %s : %s;" % (a, b),
            "int l = 3; const int *y = k ? &ga : &l; int x = *y;",
            "int l = n; const int *y = k ? &gnode.b : (%s) ? &gd : &l; int x = *y;" % condition,
            self.written_anyway())
        point = self.pick(
            "step();", "step();", "r += opaque(2);", "s->a = 1;", "if (n > 3) step(); else opaque(2);",
            "for (int i = 0; i < (n & 3); i++) step();")
        later = self.integer()
        use = self.pick(
            "if (!k) x = %s; r += x;" % later, "if (!k) { step(); x = n; } r += x;",
            "r += %s ? x : 3;" % self.condition(), "r += k && %s ? x : 1;" % self.condition(),
            "if (k || %s) r += x;" % self.condition(),
            "switch (c) { case 0: r += n; break; case 1: r += %s; break; default: r += x; }" % later,
            "switch (n) { case 1: r += x; break; case 2: r += 5; break; case 17: r += x + 1; }",
            "for (int i = 0; i < n; i++) if (!k) x = garr[i]; r += x;", "if (!k) return r; r += x;")
        return "{ bool k = %s; %s %s %s }" % (simple, read, point, use)

    def ways_to_one_cell(self):
        """Ways through branches and loops that all read or write one cell, or do not."""
        cell = self.pick(*INTS, *SMALLS, "garr[c & 63]", "p[3]", "gsarr[n & 7]", self.addressed())
        return "{ int w0 = 0, w1 = 0, w2 = 0, w3 = 0; %s }" % self.ways_to(cell, 0)

    def ways_to(self, cell, nesting):
        i = "w%d" % nesting
        element = "p[%s] > 100" % i
        test = self.pick(element, element, element, "n & 1", "n > c", "c", self.condition())
        head = "%s < %s" % (i, self.pick("3", "3", "(n & 3)", "(c & 1)", "8"))
        read = self.pick("r += %s;", "r += %s;", "v0 ^= %s;", "if (!%s) r++;") % cell
        write = "%s = %s;" % (cell, self.pick(i, "n", "0"))
        some = "if (%s) %s" % (test, read)
        if nesting > 2:
            return self.pick(read, write, some, "step();")

        def inner():
            return self.ways_to(cell, nesting + 1)

        kind = self.rng.randrange(16)
        if kind < 6:
            rounds = self.pick(some, some, inner()) + " " + self.pick(write, write, inner())
            if self.chance(0.7):
                return "%s = 0; do { %s } while (++%s);" % (i, rounds, head)
            return "for (%s = 0; %s; %s++) { %s }" % (i, head, i, rounds)
        if kind < 12:
            way, other = self.pick(read, some, inner()), inner()
            if self.chance(0.3):
                way, other = other, way
            if self.chance(0.5):
                return "if (%s) { %s return r; } %s" % (test, way, other)
            return "if (%s) { %s } else { %s }" % (test, way, other)
        if kind < 14:
            return inner() + " " + inner()
        return self.pick(read, some, write)

    def kept_over_rounds(self, head):
        """A value is read once, kept over visible points, and used in some rounds."""
        a, b = self.integer(), self.integer()
        read = self.pick(
            "int x; if (%s) { r += %s; x = %s; } else { r ^= %s; x = %s; }" % (self.condition(), a, b, a, b),
            "int x = %s ? %s : %s;" % (self.condition(), a, b), "int x = %s;" % a)
        choice = self.pick("k & 1", "(k & 3) == 2", "i & 2", self.condition())
        point = self.pick("step();", "r += opaque(k);", "s->a = k;", "if (%s) step();" % self.condition())
        use = self.pick(
            "r += (%s) ? x : 0;" % choice, "if (%s) { r += opaque(x); break; }" % choice,
            "if (%s) r += x; else r ^= %s;" % (choice, self.integer()),
            "if (%s) { int z = x; x = y; y = z; } r += i & 1 ? x : 1;" % choice)
        other = self.pick("garr", "gbrr", "gsarr")
        return "{ %s int y = %s; %s { int k = %s[i] ^ i; %s %s } r += y == 3; }" % (
            read, self.integer(), head, other, point, use)

    def helper(self):
        if self.helpers and self.chance(0.5):
            return self.rng.choice(self.helpers)[0]
        name = "%s_help%d" % (self.name, len(self.helpers))
        self.helpers.append((name, ""))
        a, b = self.integer_of_helper(), self.integer_of_helper()
        condition = self.pick("c", "c > 1", "c && *x", "n > 3", "q->flag")
        body = self.rng.choice([
            "if (%s) return *x; return %s;" % (condition, self.number()),
            "if (%s) return *x + q->a; return q->b;" % condition,
            "return %s ? *x : %s;" % (condition, a),
            "int r = 0; for (int i = 0; i < n; i++) if (%s) r += *x; return r;" % condition,
            "if (%s) *x = c; return %s;" % (condition, b),
            "if (n <= 0) return %s; return %s(x, q, n / 2 - 1, c) + (%s ? q->a : 1);" % (a, name, condition),
            "if (unlikely(%s)) step(); return %s;" % (condition, a),
            "struct pair z = q->pair; return %s ? z.first : n;" % condition,
            "if (!q->k) return 0; return q->next->a;",
        ])
        attribute = self.pick("static noinline", "static noinline", "static", "static inline")
        text = "%s int %s(int *x, struct node *q, int n, int c) { %s }" % (attribute, name, body)
        self.helpers = [h if h[0] != name else (name, text) for h in self.helpers]
        return name

    def integer_of_helper(self):
        return self.pick("*x", "q->a", "ga", "q->next->b", "q->h", "gb", "x[0]", "q->mix.i")

    def helper_arguments(self):
        return "&%s, %s, n, %s" % (self.addressed(), self.pick("s", "t", "&gnode"), self.pick("c", "v0 & 1", "0", "n & 1"))

    def statement(self, nesting):
        kind = self.rng.randrange(100)
        if kind < 12:
            return self.store()
        if kind < 24:
            return self.local_store()
        if kind < 38:
            return self.idiom()
        if kind < 40:
            return self.in_parts()
        if kind < 42:
            return self.by_value()
        if kind < 46:
            return generate_forms.statement(self)
        if kind < 58:
            return generate_loops.idiom(self)
        if kind < 64:
            return self.memory_statement()
        if kind < 70:
            return self.shared_visible()
        if kind < 73:
            return "r += %s;" % self.text_value()
        if kind < 75:
            return "r += %s(%s);" % (self.helper(), self.helper_arguments())
        if kind < 77:
            return "if (%s) return r + %s;" % (self.condition(), self.value())
        if self.cxx and kind < 80:
            return self.cxx(self)
        if nesting > 2:
            return self.local_store()
        if kind < 90:
            node = ["if (%s) {" % self.condition(), self.statements(nesting + 1)]
            if self.chance(0.4):
                node += ["} else {", self.statements(nesting + 1)]
            return node + ["}"]
        if kind < 98:
            i = "i%d" % len(self.loops)
            self.loops.append(i)
            limit = self.pick("4", "1", "(n & 3)", "5", *(["n", "n", "n", "64"] if len(self.loops) == 1 else []))
            body = self.statements(nesting + 1)
            if self.chance(0.2):
                body.insert(self.rng.randrange(len(body) + 1), "if (%s) %s;" % (self.condition(), self.pick("break", "continue")))
            self.loops.pop()
            return ["for (int %s = 0; %s < %s; %s++) {" % (i, i, limit, i), body, "}"]
        label = self.label()
        body = self.statements(nesting + 1)
        body.insert(self.rng.randrange(len(body) + 1), "if (%s) goto %s;" % (self.condition(), label))
        return ["{", body, "} %s:;" % label]

    def statements(self, nesting):
        return [self.statement(nesting) for _ in range(self.pick(1, 1, 2, 2, 3))]

    def make_body(self):
        # What stands beside a loop may keep it from being vectorized.
        if self.chance(0.1):
            return [generate_loops.vectorized(self)]
        if self.chance(0.05):
            return generate_loops.over_local(self)
        start = []
        if self.chance(0.3):
            local = self.pick("l0", "l0", "l1", "l2[0]")
            self.escaping = [local]
            start = ["share(&%s, sizeof %s);" % (local, local)]
        body = []
        for _ in range(self.pick(1, 1, 2, 2, 3, 4)):
            body.append(self.statement(0))
        if self.cxx and self.chance(0.7):
            body.insert(self.rng.randrange(len(body) + 1), self.cxx(self))
        return start + body


def flat(body):
    for item in body:
        if isinstance(item, str):
            yield item
        else:
            for part in item:
                if isinstance(part, str):
                    yield part
                else:
                    yield from flat(part)


def print_function(name, helpers, body):
    """The text of one function, with only those helpers that it needs."""
    text = "\n  ".join(flat(body))
    needed, everything = [], text
    for helper, code in reversed(helpers):
        if helper + "(" in everything:
            needed.insert(0, code)
            everything += code
    local = "".join(code for name, code in LOCALS if name in everything)
    return "%s\nFUNCTION(%s) {\n  %slong r = 0;\n  int v0 = n, v1 = c;\n  %s\n  return r + v0 + v1;\n}\n" % (
        "\n".join(needed), name, local, text)
