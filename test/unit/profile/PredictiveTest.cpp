//===- PredictiveTest.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predictions against all interleavings of random programs, whose loops and
// calls the oracle unrolls. ATSAN_MODEL_PROGRAMS sets how many.
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Predictive.h"
#include "RunPath.h"
#include "lib/model/Lower.h"
#include "lib/model/Parser.h"
#include "lib/model/RunTrace.h"
#include "lib/model/Serializable.h"
#include "test/unit/Setting.h"
#include "test/unit/model/RandomProgram.h"
#include <gtest/gtest.h>

using namespace atsan::model;
using namespace atsan::profile;
using namespace atsan_test;
using Kind = RandomStatement::Kind;

namespace {

/// Threads without data: loops, choices and calls are free.
class Generator {
public:
  Generator(std::mt19937_64 &Random, bool HasLocks, bool IsNested)
      : Random(Random), HasLocks(HasLocks), IsNested(IsNested) {}

  RandomProgram program() {
    P.Variables = 1 + below(3);
    P.HasSync = P.Variables > 1 && !below(5);
    P.Locks = 1 + below(3);
    P.AreAlike = !below(5);
    Procedures = below(2) ? below(3) : 0;
    for (unsigned I = 0; I < Procedures; ++I)
      P.Procedures.push_back(block(1 + below(2), false, 1));
    const unsigned Threads = 2 + below(2);
    for (unsigned T = 0; T < Threads; ++T)
      P.Threads.push_back(T && P.AreAlike ? P.Threads[0]
                                          : block(1 + below(3), true, 0));
    return P;
  }

private:
  std::mt19937_64 &Random;
  bool HasLocks, IsNested;
  unsigned Procedures = 0;
  RandomProgram P;
  bool InRegion = false;

  unsigned below(unsigned N) { return Random() % N; }

  RandomStatement access() {
    RandomStatement S;
    S.Is = below(2) ? Kind::Read : Kind::Write;
    S.Variable = below(P.Variables);
    return S;
  }

  RandomStatement nested(Kind Is, unsigned Size, bool InThread,
                         unsigned Depth) {
    RandomStatement S;
    S.Is = Is;
    S.First = block(Size, InThread, Depth + 1);
    return S;
  }

  RandomStatement statement(unsigned &Size, bool InThread, unsigned Depth) {
    RandomStatement S;
    const unsigned Dice = below(20);
    if (Depth > 2 || Dice < 7)
      return access();
    if (Dice < 12) {
      const unsigned Inner = 1 + below(Size + 1);
      Size -= std::min(Inner, Size) - 1;
      const bool Outer = InRegion;
      InRegion = true;
      S = nested(Kind::Region, Inner, InThread, Depth);
      InRegion = Outer;
      return S;
    }
    if (Dice < 13) {
      S.Is = Kind::Step;
      for (unsigned I = 0; I < 2; ++I)
        S.First.push_back(access());
      return S;
    }
    if (Dice < 15)
      return nested(Kind::While, 1 + below(2), InThread, Depth);
    if (Dice < 17) {
      S = nested(Kind::Choose, 1, InThread, Depth);
      if (below(2))
        S.Second = block(1, InThread, Depth + 1);
      return S;
    }
    if (Dice < 19 && Procedures) {
      S.Is = Kind::Call;
      S.Variable = below(Procedures);
      return S;
    }
    if (InRegion && InThread) {
      S.Is = Kind::Restart;
      return S;
    }
    return access();
  }

  std::vector<RandomStatement> block(unsigned Size, bool InThread,
                                     unsigned Depth) {
    std::vector<RandomStatement> All;
    std::vector<unsigned> Held;
    const auto Lock = [&](Kind Is, unsigned Which) {
      RandomStatement S;
      S.Is = Is;
      S.Variable = Which;
      All.push_back(S);
    };
    for (; Size; --Size) {
      if (HasLocks && below(2)) {
        Held.push_back(below(P.Locks));
        Lock(Kind::Acquire, Held.back());
      }
      All.push_back(statement(Size, InThread, Depth));
      if (!Held.empty() && below(2)) {
        const size_t At = IsNested ? Held.size() - 1 : below(Held.size());
        Lock(Kind::Release, Held[At]);
        Held.erase(Held.begin() + At);
      }
    }
    // Some procedures return with a lock, and some threads end with one.
    for (; !Held.empty(); Held.pop_back())
      if (below(8))
        Lock(Kind::Release, Held.back());
      else
        break;
    return All;
  }
};

/// Predicts, and has the run that is shown checked.
bool isViolating(const std::string &Text, Locks How) {
  SearchOptions Limits;
  Limits.MaxSeconds = 60;
  Prediction Made = predict(parse(Text), How, Limits);
  EXPECT_EQ(Made.Found.GaveUp, "") << Text;
  if (!Made.Found.isBad())
    return false;
  EXPECT_EQ(Made.Found.Error, Fault::None);
  const auto Names = threadNames(Made.Of);
  RunTrace Run(Made.Of, Names, Made.Found.Run, "model");
  const auto Finding = findingOf(Made.Of, Made.Found, Run);
  EXPECT_FALSE(Finding.Relations.empty());
  if (How != Locks::Product) {
    EXPECT_EQ(problemOf(Made.Of, Made.Found.Run, How == Locks::Nested), "")
        << Text << scheduleText(Made.Of, Names, Made.Found.Run, false);
  }
  return true;
}

size_t programs() { return setting("ATSAN_MODEL_PROGRAMS", 100); }

struct Counts {
  size_t Compared = 0, Bad = 0, TooLarge = 0, Refused = 0;
};

/// Compares with the oracle. If it finds less, its bounds may be too small.
void compare(const RandomProgram &P, Locks How, Counts &C) {
  const std::string Text = P.text();
  OracleVerdict Truth = decideSerializable(P, 3000);
  bool Found = false;
  try {
    Found = isViolating(Text, How);
  } catch (const ModelError &) {
    ++C.Refused;
    return;
  }
  // More states, more rounds, and calls of procedures that never return.
  bool GaveUp = false;
  for (const OracleBounds Larger : {OracleBounds{2, 2}, {3, 3}, {2, 6}, {1, 9}})
    if (Found && !Truth.IsUnserializable) {
      Truth = decideSerializable(P, 30000, Larger);
      GaveUp |= Truth.GaveUp;
    }
  Truth.GaveUp |= GaveUp;
  if (Truth.GaveUp && !Truth.IsUnserializable) {
    ++C.TooLarge;
    return;
  }
  ++C.Compared;
  C.Bad += Found;
  ASSERT_EQ(Found, Truth.IsUnserializable) << Text;
}

void compareMany(unsigned Seed, bool HasLocks, bool IsNested, Locks How) {
  std::mt19937_64 Random(Seed);
  Counts C;
  const size_t Programs = programs();
  while (C.Compared < Programs && !testing::Test::HasFailure())
    compare(Generator(Random, HasLocks, IsNested).program(), How, C);
  printf("%zu programs, %zu violating; %zu more too large, %zu refused\n",
         C.Compared, C.Bad, C.TooLarge, C.Refused);
  EXPECT_GT(C.Bad, Programs / 20);
  EXPECT_LT(C.Bad, Programs);
}

TEST(Predictive, DifferentialWithoutLocks) {
  compareMany(1, false, true, Locks::Nested);
}
TEST(Predictive, DifferentialNestedLocks) {
  compareMany(2, true, true, Locks::Nested);
}
TEST(Predictive, DifferentialProduct) {
  compareMany(3, true, false, Locks::Product);
}

bool predicts(const std::string &Text, Locks How = Locks::Nested) {
  return isViolating(Text, How);
}

// Lines of paper-errata.md on TACAS'09. `[..]` there is a region here.
TEST(Predictive, ErrataLemma3) {
  EXPECT_FALSE(predicts("int x, y; thread A { int l; atomic { y := 1; }"
                        " atomic { l := x; } }"
                        "thread B { atomic { x := 1; y := 1; } }"));
  EXPECT_TRUE(predicts("int y, z; thread A { atomic { y := 1; z := 1; } }"
                       "thread B { int l; atomic { y := 1; }"
                       " atomic { l := z; } }"));
}
// Each thread is visited once.
TEST(Predictive, ErrataVisitedOnce) {
  EXPECT_FALSE(predicts("int x, y; thread A[2] { int l;"
                        " atomic { l := x; l := y; } }"
                        "thread B { atomic { y := 1; } atomic { x := 1; } }"));
}
// A search that marks what it has visited for good misses this.
TEST(Predictive, ErrataLemma5) {
  EXPECT_TRUE(predicts("int y, z; thread A { int l;"
                       " atomic { l := z; l := y; } }"
                       "thread B { int l; atomic { z := 1; }"
                       " atomic { l := y; } }"
                       "thread C { atomic { y := 1; } atomic { z := 1; } }"));
}
// Begins and ends of transactions are not skipped.
TEST(Predictive, ErrataLemma6) {
  EXPECT_FALSE(predicts("int x; thread A { int l; atomic { l := x; }"
                        " atomic { x := 1; } }"
                        "thread B { atomic { x := 1; } }"));
  EXPECT_FALSE(predicts("int x; proc f() { int l; choose { atomic { l := x; }"
                        " f(); atomic { x := 1; } } or { skip; } }"
                        "thread A { f(); }"
                        "thread B { atomic { x := 1; } }"));
  EXPECT_TRUE(predicts("int x; proc f() { int l; choose { l := x;"
                       " f(); x := 1; } or { skip; } }"
                       "thread A { atomic { f(); } }"
                       "thread B { atomic { x := 1; } }"));
}
// With locks the other threads cannot run to their ends within the first one.
TEST(Predictive, ErrataLemma2) {
  const std::string Text =
      "int x; lock l;"
      "thread A { int v; atomic { acquire(l); v := x; x := 1; release(l); } }"
      "thread B { atomic { x := 1; acquire(l); release(l); } }";
  EXPECT_TRUE(predicts(Text));
  EXPECT_TRUE(predicts(Text, Locks::Product));
}

// The order of lock operations between two accesses matters, not only which
// locks they are: T can take n and m, one after the other, but m and n not.
TEST(Predictive, OrderOfLocksWithinATransaction) {
  const auto Text = [](const char *Between) {
    return "int a, b, c, d; lock m, n, q, s;"
           "thread T { acquire(q); atomic { a := 1; " +
           std::string(Between) +
           " d := 1; } release(q); }"
           "thread U { acquire(n); acquire(q); release(q);"
           " atomic { a := 1; b := 1; } acquire(s); release(s);"
           " release(n); }"
           "thread V { acquire(m); acquire(q); release(q); release(m);"
           " acquire(m); atomic { b := 1; c := 1; } acquire(q); release(q);"
           " release(m); }"
           "thread W { acquire(s); acquire(q); release(q);"
           " atomic { c := 1; d := 1; } release(s); }";
  };
  for (const char *Between :
       {"acquire(m); release(m); acquire(n); release(n);",
        "acquire(n); release(n); acquire(m); release(m);"})
    EXPECT_EQ(predicts(Text(Between)), predicts(Text(Between), Locks::Product))
        << Between;
}

// Recursion with nested locks: how deep it goes does not matter.
TEST(Predictive, RecursionWithNestedLocks) {
  const auto Text = [](const char *Body) {
    return "int x; lock l; proc f() { int v; choose { acquire(l); v := x;"
           " release(l); f(); acquire(l); x := 1; release(l); } or { skip; } }"
           "thread A[2] { atomic { " +
           std::string(Body) + " } }";
  };
  EXPECT_TRUE(predicts(Text("f();")));
  EXPECT_FALSE(predicts("int x; lock l; proc f() { int v; choose { v := x;"
                        " f(); x := 1; } or { skip; } }"
                        "thread A[2] { atomic { acquire(l); f();"
                        " release(l); } }"));
}

void expectRefused(const std::string &Text, Locks How, const char *Why) {
  try {
    predict(parse(Text), How, {});
    ADD_FAILURE() << Text;
  } catch (const ModelError &E) {
    EXPECT_NE(E.in("m").find(Why), std::string::npos) << E.in("m");
  }
}

TEST(Predictive, Refusals) {
  const std::string Crossed = "acquire(l); acquire(m); release(l); release(m);";
  expectRefused("lock l, m; thread A { " + Crossed + " }", Locks::Nested,
                "not nested");
  expectRefused("lock l, m; proc f() { " + Crossed +
                    " f(); } thread A { f(); }",
                Locks::Nested, "undecidable");
  expectRefused("lock l, m; proc f() { f(); } thread A { f(); }",
                Locks::Product, "calls itself");
  expectRefused("lock l; thread A[*] { acquire(l); release(l); }",
                Locks::Nested, "any number");
  expectRefused("safe bool x; thread A { x := true; }", Locks::Nested,
                "register");
  EXPECT_FALSE(
      predicts("lock l, m; thread A { " + Crossed + " }", Locks::Product));
}

TEST(Predictive, AnyNumberOfThreads) {
  // A cycle of three reads and writes needs three replicas.
  EXPECT_TRUE(predicts("int x, y, z; thread A[*] { int l; choose {"
                       " atomic { l := x; y := 1; } } or {"
                       " atomic { l := y; z := 1; } } or {"
                       " atomic { l := z; x := 1; } } }"));
  EXPECT_FALSE(predicts("int x; thread A[*] { int l; choose {"
                        " atomic { l := x; } } or { x := 1; } }"));
  EXPECT_TRUE(predicts("int x; thread A[*] { int l; choose {"
                       " atomic { l := x; l := x; } } or { x := 1; } }"));
}

} // namespace
