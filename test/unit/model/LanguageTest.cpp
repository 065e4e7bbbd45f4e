//===- LanguageTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language of models: what is accepted, in which form it is printed, and
// what is said of mistakes.
//
//===----------------------------------------------------------------------===//

#include "lib/model/Lower.h"
#include "lib/model/Parser.h"
#include "lib/model/Printer.h"
#include <gtest/gtest.h>

using namespace atsan::model;

namespace {

std::string error(const std::string &Text, Calls How = Calls::Expand) {
  try {
    lower(parse(Text), How);
  } catch (const ModelError &E) {
    return E.in("m");
  }
  return "";
}

// The actions of the first thread in the order of its nodes, a letter for each.
std::string actions(const std::string &Text, Calls How = Calls::Expand) {
  static const char Letters[] = "-=?tafrwcLUBERsei!@";
  const Program P = lower(parse(Text), How);
  std::string All;
  for (const Node &N : P.Threads[0].Code.Nodes)
    for (const Edge &E : N.Out)
      if (E.Is != Edge::Kind::Skip)
        All += Letters[size_t(E.Is)];
  return All;
}

TEST(Language, PrintsWhatItParses) {
  const std::string Text = R"(// A model.
const N = 2; // Two.

int[0..N] x = 1, a[2] = {0, 1};
sync bool s;
safe bool v;
lock m;
register bool R = true;
proc f(int i, bool b) {
  if (b) {
    return;
  } else if (i > 0) {
    x := i % 3;
  } else {
    // Nothing.
  }
}
thread T[N] {
  bool ok = true;
  int i;
  begin "one"
    acquire(m);
    f(-(1 + 2) * 3, !(ok || i == 2 && ok));
    x := x + 1;
    restart;
    release(m);
  end

  atomic {
    step {
      assume(!s);
      s := true;
    }
  }
  while (choose) {
    choose {
      i := choose(0..self);
      break;
    } or {
      ok := cas(s, true, false);
      continue;
    }
  }
  operation R.write(ok) {
    v := ok;
  }
  operation R.read() {
    ok := v;
    return ok;
  }
  a[i] := a[1 - i];
  assert(1 - (2 - 3) == 2);
  cas(x, 1, 2);
  skip;
  {}
}
thread U[*] {}
)";
  EXPECT_EQ(print(parse(Text)), Text);
  EXPECT_EQ(error(Text), "");
}

TEST(Language, CommentsAreKept) {
  const std::string Printed = print(parse(
      "/* a */ int /* b */ x; // c\nthread T { // d\n x := /* e */ 1; /* f */\n"
      "if (x == 1) { skip; } else if (x == 2) /* g */ { } // h\n /* i\n j */ }"
      "\n// k"));
  for (char C = 'a'; C <= 'k'; ++C)
    EXPECT_NE(Printed.find(std::string(" ") + C), Printed.npos) << C;
  EXPECT_EQ(print(parse(Printed)), Printed);
}

TEST(Language, Mistakes) {
  EXPECT_EQ(
      error("thread T { x := 1; }"),
      "m:1:12: 'x' is not declared; declare it before it is used: outside "
      "of threads if they share it, or in the thread");
  EXPECT_EQ(error("int x;\nthread T {\n  x = 1;\n}"),
            "m:3:5: there should be ':=' in place of '='; write := to assign, "
            "and == to compare");
  EXPECT_EQ(error("int x; thread T { assert(x = 0); }"),
            "m:1:28: there should be ')' in place of '='; write == to compare, "
            "and := to assign");
  EXPECT_EQ(error("lock m; thread T { lock(m); }"),
            "m:1:20: 'lock' cannot begin a statement; write acquire(...); and "
            "release(...);");
  EXPECT_EQ(error("thread T { for (;;) { } }"),
            "m:1:12: 'for' is no statement; write while (...) { ... }");
  EXPECT_EQ(error("thread T { do { } while (true); }"),
            "m:1:12: 'do' is no statement; write while (...) { ... }");
  EXPECT_EQ(error("int x; proc for(int n) { x := n; } thread T { for(x); }"),
            "");
  EXPECT_EQ(error("int x; proc f(int n) { x := n; } thread T { f(); }"),
            "m:1:45: 'f' takes 1 argument, but is called with 0; give one for "
            "each parameter");
  EXPECT_EQ(error("bool b; thread T { if (b == 1) { } }"),
            "m:1:29: there should be a truth value here; compare numbers, such "
            "as x != 0");
  EXPECT_EQ(error("thread T { begin skip; }"),
            "m:1:18: this begin has no end; add end");
  EXPECT_EQ(error("thread T { skip; "),
            "m:1:10: this { has no }; add } where it ends");
  EXPECT_EQ(error("int x; int x; thread T { }"),
            "m:1:12: 'x' is declared already, in line 1; choose another name");
  EXPECT_EQ(error("int x;"),
            "m:1:1: the model has no thread; add thread T { ... }");
  EXPECT_EQ(error("int a[2]; thread T { a[2] := 0; }"),
            "m:1:22: 'a' has no element 2; its elements are 0 to 1");
  EXPECT_EQ(error("proc f() { f(); } thread T { f(); }"),
            "m:1:1: 'f' calls itself; write a loop");
  EXPECT_EQ(error("proc f() { f(); } thread T { f(); }", Calls::Keep), "");
  EXPECT_EQ(
      error("proc int f() { if (choose) { return 1; } } thread T { }"),
      "m:1:42: this procedure can end without a result; add return with a "
      "value at its end");
  EXPECT_EQ(error("thread T[*] { int i; i := self; }"),
            "m:1:27: self has no value where threads have no number; write "
            "thread T[N] with a number of threads");
  EXPECT_EQ(
      error("thread T { step { while (true) { } } }"),
      "m:1:19: a step has no loops, calls, regions, operations or jumps; "
      "a step consists of assignments, if, choose, assume, assert, acquire "
      "and release");
}

TEST(Language, HostileTextsAreRefused) {
  std::string Deep(100000, '(');
  EXPECT_NE(error("thread T { assert(" + Deep).find("nested more than 100"),
            std::string::npos);
  std::string Blocks = "thread T ";
  for (int I = 0; I < 100000; ++I)
    Blocks += "{";
  EXPECT_NE(error(Blocks).find("nested more than 100"), std::string::npos);
  std::string Long = "thread T { assert(1";
  for (int I = 0; I < 100000; ++I)
    Long += "+1";
  EXPECT_NE(error(Long).find("too long"), std::string::npos);
  // Each procedure calls the one before twice.
  std::string Calls = "int x; proc f0() { x := 1; }\n";
  for (int I = 1; I <= 30; ++I)
    Calls += "proc f" + std::to_string(I) + "() { f" + std::to_string(I - 1) +
             "(); f" + std::to_string(I - 1) + "(); }\n";
  EXPECT_NE(error(Calls + "thread T { f30(); }").find("more than 262144 steps"),
            std::string::npos);
  EXPECT_NE(error("int a[999999999]; thread T { }").find("999999999 elements"),
            std::string::npos);
}

TEST(Language, EachAccessIsAnEdge) {
  const std::string Shared = "int x; int y; bool b; lock m; ";
  EXPECT_EQ(actions(Shared + "thread T { x := x + y; }"), "rrw");
  EXPECT_EQ(actions(Shared + "thread T { atomic { acquire(m); x := 1; } }"),
            "BLwE");
  // The right side of && is read on one way only.
  EXPECT_EQ(actions(Shared + "thread T { if (b && x == 1) { } }"), "rrtttt");
  EXPECT_EQ(actions(Shared + "thread T { b := cas(x, 1, 2); }"), "cw");
  EXPECT_EQ(actions(Shared + "thread T { step { x := x + 1; } }"), "srwe");
  EXPECT_EQ(actions("proc f(int i) { f(i); } thread T { f(1); }", Calls::Keep),
            "@");
  // A region ends wherever it is left.
  EXPECT_EQ(actions("proc f() { atomic { if (choose) { return; } } } "
                    "thread T { f(); }"),
            "BEE");
}

} // namespace
