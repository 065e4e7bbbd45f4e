//===- LinearizableTest.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linearizability of registers: the monitor against all permutations of random
// histories, and algorithms with known verdicts.
//
//===----------------------------------------------------------------------===//

#include "lib/model/Linearizable.h"
#include "lib/model/LinearizableMonitor.h"
#include "lib/model/Lower.h"
#include "lib/model/Parser.h"
#include "test/unit/Setting.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace atsan::model;

namespace {

struct Operation {
  unsigned Thread = 0;
  bool IsWrite = false;
  int Value = 0;
  int Begin = 0, End = INT32_MAX; ///< Places in the history; INT32_MAX: open.
};

// By the definition: some order of the operations that keeps what came one
// after the other explains the results. Open operations may be left out.
bool isLinearizable(std::vector<Operation> Left, int Now) {
  bool IsDone = true;
  for (const Operation &O : Left)
    IsDone = IsDone && O.End == INT32_MAX;
  if (IsDone)
    return true;
  for (size_t I = 0; I < Left.size(); ++I) {
    const Operation Next = Left[I];
    const bool IsFirst =
        std::none_of(Left.begin(), Left.end(),
                     [&](const Operation &O) { return O.End < Next.Begin; });
    // An open read has no result to explain.
    if (!IsFirst ||
        (!Next.IsWrite && Next.End != INT32_MAX && Next.Value != Now))
      continue;
    std::vector<Operation> Rest = Left;
    Rest.erase(Rest.begin() + I);
    if (isLinearizable(Rest, Next.IsWrite ? Next.Value : Now))
      return true;
  }
  return false;
}

// ATSAN_MODEL_HISTORIES sets how many.
TEST(Linearizable, Differential) {
  const size_t Histories = atsan_test::setting("ATSAN_MODEL_HISTORIES", 4000);
  const Program P =
      lower(parse("register int[0..2] R; thread T[3] {}"), Calls::Expand);
  std::mt19937_64 Random(23);
  size_t Bad = 0;
  const LinearizableMonitor M(P, 3);
  for (size_t H = 0; H < Histories; ++H) {
    std::vector<Value> State(M.widths().size());
    std::vector<Operation> All;
    int Open[3] = {-1, -1, -1};
    const size_t Events = 4 + Random() % 9;
    for (size_t At = 0; At < Events; ++At) {
      const unsigned T = Random() % 3;
      Edge E;
      bool IsBad = false;
      if (Open[T] < 0) {
        Operation New;
        New.Thread = T;
        New.IsWrite = Random() % 2;
        New.Value = Random() % 3;
        New.Begin = At;
        E.Is = Edge::Kind::Invoke;
        E.IsWrite = New.IsWrite;
        IsBad = M.invoke(State.data(), T, E, New.Value);
        Open[T] = All.size();
        All.push_back(New);
      } else {
        Operation &O = All[Open[T]];
        O.End = At;
        if (!O.IsWrite)
          O.Value = Random() % 3;
        E.Is = Edge::Kind::Return;
        E.IsWrite = O.IsWrite;
        IsBad = M.respond(State.data(), T, E, O.Value);
        Open[T] = -1;
      }
      ASSERT_EQ(IsBad, !isLinearizable(All, 0)) << "history " << H;
      Bad += IsBad;
      if (IsBad)
        break;
    }
  }
  EXPECT_GT(Bad, Histories / 10);
  EXPECT_LT(Bad, Histories - Histories / 10);
}

SearchResult decide(const std::string &Text) {
  static Program P; // Results point into it.
  P = lower(parse(Text), Calls::Expand);
  return decideLinearizable(P, SearchOptions());
}

std::string bitWith(const std::string &Kind) {
  return "register bool R; " + Kind +
         " bool V; thread W { bool v; while (true) { v := choose;"
         " operation R.write(v) { V := v; } } }"
         "thread U { bool x; while (true) {"
         " operation R.read() { x := V; return x; } } }";
}

TEST(Linearizable, KindsOfRegisters) {
  EXPECT_FALSE(decide(bitWith("")).isBad());
  EXPECT_TRUE(decide(bitWith("regular")).isBad());
  const SearchResult Safe = decide(bitWith("safe"));
  EXPECT_TRUE(Safe.isBad());
  // A write of the value that is there already is enough: w begins, V begins;
  // r begins, reads, returns.
  EXPECT_EQ(Safe.Steps, 5u);
}

TEST(Linearizable, SeveralWriters) {
  const std::string Text = "register int[0..2] R; int[0..2] x;"
                           "thread W[2] { int[0..2] v; while (true) {"
                           " v := choose; operation R.write(v) { x := v; } } }"
                           "thread U { int[0..2] v; while (true) {"
                           " operation R.read() { v := x; return v; } } }";
  EXPECT_FALSE(decide(Text).isBad());
  std::string Cached = Text;
  Cached.replace(Cached.find("v := x; return v;"), 17,
                 "if (choose) { v := x; } return v;");
  EXPECT_TRUE(decide(Cached).isBad());
}

TEST(Linearizable, WhatCannotBeDecided) {
  EXPECT_THROW(decide("thread T {}"), ModelError);
  EXPECT_THROW(decide("register bool R; safe bool V; "
                      "thread T[2] { V := true; }"),
               ModelError);
}

} // namespace
