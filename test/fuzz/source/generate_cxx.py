# ===- generate_cxx.py ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Statements of C++ for generate.py's functions. Containers live in the function;
# what they are filled with and compared with is shared.
#
# ===----------------------------------------------------------------------===#


def statement(f):
    a, b = f.rng.sample(["ga", "gb", "gc", "gd", "gnode.a", "s->a", "t->b"], 2)
    x, y = f.rng.sample(["garr", "gbrr", "p"], 2)
    n = f.pick("n", "n", "64", "16", "3", "8", "1")
    text, other = f.string(), f.string()
    word = f.word()
    size = f.size(16)
    condition, value = f.condition, f.value
    view = "std::string_view(%s, %s)" % (text, size)
    views = f.pick("std::string_view(%s)" % text, view)
    array = "reinterpret_cast<std::array<int, %d> &>(%s)"
    count = f.pick(1, 2, 3, 4, 8)
    forms = [
        lambda: "r += std::min(%s, %s);" % (a, b),
        lambda: "r += std::max(%s, (int)%s);" % (a, value()),
        lambda: "r += std::clamp(%s, 0, %s < 0 ? 0 : 9);" % (a, b),
        lambda: "if (%s) std::swap(%s, %s);" % (condition(), a, b),
        lambda: "{ const int &l = %s ? v0 : %s; r += l; }" % (condition(), a),
        lambda: "{ int limit = 5; const int &l = %s ? limit : %s; r += l; }" % (condition(), a),
        lambda: "{ int &l = %s ? %s : %s; l += %s; }" % (condition(), a, b, value()),
        lambda: "r += %s == %s;" % (array % (count, "gnode.arr"), array % (count, "s->arr")),
        lambda: "r += %s < %s;" % (array % (count, "t->arr"), array % (count, "s->arr")),
        lambda: "%s = %s;" % (array % (count, "gnode.arr"), array % (count, "garr")),
        lambda: 'r += %s == "%s";' % (views, word),
        lambda: 'r += %s == "%s";' % (views, word[:3]),
        lambda: "r += %s == std::string_view(%s);" % (views, other),
        lambda: 'r += %s.compare("%s") < 0;' % (views, word),
        lambda: "r += %s.find('c') == 2;" % views,
        lambda: 'r += %s.find("%s") != std::string_view::npos;' % (views, word),
        lambda: 'r += %s.substr(0, 3) == "abc";' % "std::string_view(%s)" % text,
        lambda: "{ std::string x(%s); r += x.size(); if (x == gbuf) r++; }" % text,
        lambda: '{ std::string x = "%s"; x += %s; r += x[0] + x.size(); }' % (word[:4], text),
        lambda: "{ std::vector<int> x(%s, %s + %s); if (x.size() > 1) r += x[1]; }" % (x, x, n),
        lambda: "{ std::vector<int> x; for (int i = 0; i < %s; i++) if (%s[i]) x.push_back(%s[i]); r += x.size(); }" % (n, x, y),
        lambda: "{ std::optional<int> x; if (%s) x = %s; r += x.value_or(%s); }" % (condition(), a, b),
        lambda: "{ std::optional<int> x; if (%s) x = %s; if (x) r += *x; }" % (condition(), a),
        lambda: "{ auto x = std::make_unique<int>(%s); if (%s) *x += %s; r += *x; }" % (a, condition(), b),
        lambda: "{ auto get = [&](int i) { return i > 1 ? %s : %s; }; r += get(c) + get(n); }" % (a, b),
        lambda: "r += std::count_if(%s, %s + %s, [&](int i) { return i > %s; });" % (x, x, n, a),
        lambda: "r += std::count(%s, %s + %s, %s);" % (x, x, n, f.pick("1", a)),
        lambda: "r += std::find(%s, %s + %s, c) - %s;" % (x, x, n, x),
        lambda: "r += std::any_of(%s, %s + %s, [&](int i) { return i > 2 && %s; });" % (x, x, n, a),
        lambda: "r += std::equal(%s, %s + %s, %s);" % (x, x, n, y),
        lambda: "r += std::equal(%s, %s + %s, %s);" % (text, text, size, other),
        lambda: "std::copy(%s, %s + %s, %s);" % (x, x, n, "gbrr" if x == "garr" else "garr") if x != "p" else "std::fill(p, p + %s, 1);" % n,
        lambda: "std::sort(%s, %s + %s);" % (x, x, f.pick("(n & 31)", "3", "17")),
        lambda: "std::reverse(%s, %s + %s);" % (x, x, n),
        lambda: "r += std::accumulate(%s, %s + %s, 0);" % (x, x, n),
        lambda: "r += *std::max_element(%s, %s + 1 + %s);" % (x, x, f.pick("n", "3")),
        lambda: "for (int i : %s) { if (i > %s) break; r += %s; }" % (f.pick("garr", "gbrr", "s->arr"), f.number(), a),
        lambda: "for (auto &x : gpairs) if (x.first) r += x.second;",
        lambda: "for (auto &x : gsmalls) { if (x.a == x.b) %s++; }" % a,
        lambda: "{ auto [x, y] = gpairs[%s & 15]; r += %s ? x : y; }" % (f.index(), condition()),
        lambda: "{ std::pair<int &, int &> x(%s, %s); if (%s) r += x.first; }" % (a, b, condition()),
        lambda: "{ Left left; Right right; Base *x = %s ? (Base *)&left : &right; r += x->get(s, c); }" % condition(),
        lambda: "{ Guard guard; r += %s; }" % a,
        lambda: "try { r += may_throw(s, %s); } catch (int x) { r += x; %s++; }" % (f.pick("c", "n", "v0 & 1"), a),
    ]
    return f.rng.choice(forms)()
