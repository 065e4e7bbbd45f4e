//===-- AllInterleavings.cpp
//------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depth first, over copies of the machine.
//
//===----------------------------------------------------------------------===//
#include "AllInterleavings.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

namespace atsan_test {

bool mayGoOn(const Machine &M, unsigned Thread) {
  if (!M.lives(Thread) || !M.ready(Thread))
    return false;
  if (!M.spins(Thread))
    return true;
  for (unsigned I = 0; I < M.numThreads(); I++)
    if (M.lives(I) && M.ready(I) && !M.spins(I))
      return false;
  return true;
}

void RunLog::add(unsigned Thread, const MachineStep &Step) {
  Logged L = {Step, Thread * 16 + Counts[Thread]++, 0};
  assert(Counts[Thread] <= 16);
  for (const Logged &E : Steps)
    if (E.Id / 16 != Thread && conflict(E.Step, Step))
      L.Before |= uint64_t(1) << E.Id;
  Steps.push_back(L);
  Threads.push_back(Thread);
}

void RunLog::removeLast() {
  Counts[Threads.back()]--;
  Threads.pop_back();
  Steps.pop_back();
}

TraceForm RunLog::form() const {
  std::vector<const Logged *> Order;
  for (const Logged &L : Steps)
    Order.push_back(&L);
  std::sort(Order.begin(), Order.end(),
            [](const Logged *A, const Logged *B) { return A->Id < B->Id; });
  TraceForm Form;
  for (const Logged *L : Order) {
    Form.push_back(L->Id * 256 + uint64_t(L->Step.Kind));
    Form.push_back(L->Before);
  }
  return Form;
}

bool RunLog::isSerializable() const {
  // Transactions: each region, and each access outside.
  std::vector<unsigned> Of(Steps.size());
  std::array<int, kMaxThreads> Open;
  Open.fill(-1);
  unsigned Num = 0;
  std::vector<int> LastOf(kMaxThreads, -1);
  std::vector<std::vector<unsigned>> After;
  const auto Edge = [&](unsigned From, unsigned To) {
    if (From != To)
      After[From].push_back(To);
  };
  for (size_t I = 0; I < Steps.size(); I++) {
    const unsigned Thread = Threads[I];
    const MachineStep &S = Steps[I].Step;
    if (Open[Thread] < 0 || !S.InRegion) {
      Open[Thread] = Num++;
      After.emplace_back();
      if (LastOf[Thread] >= 0)
        Edge(LastOf[Thread], Open[Thread]);
      LastOf[Thread] = Open[Thread];
    }
    Of[I] = Open[Thread];
    for (size_t J = 0; J < I; J++)
      if (Threads[J] != Thread && S.NumTouches && !S.Touches[0].Space &&
          conflict(Steps[J].Step, S))
        Edge(Of[J], Of[I]);
  }
  std::vector<int> State(Num, 0);
  std::function<bool(unsigned)> HasCycle = [&](unsigned I) {
    State[I] = 1;
    for (unsigned J : After[I])
      if (State[J] == 1 || (State[J] == 0 && HasCycle(J)))
        return true;
    State[I] = 2;
    return false;
  };
  for (unsigned I = 0; I < Num; I++)
    if (State[I] == 0 && HasCycle(I))
      return false;
  return true;
}

namespace {

class Search {
public:
  Search(AllRuns &All, size_t Limit) : All(All), Limit(Limit) {}

  void explore(const Machine &M, int Last, unsigned Preemptions) {
    bool GoesOn = false;
    const bool Preempts =
        Last >= 0 && M.lives(Last) && M.ready(Last) && !M.spins(Last);
    for (unsigned I = 0; I < M.numThreads() && !All.TooMany; I++) {
      if (!mayGoOn(M, I))
        continue;
      GoesOn = true;
      Machine Next = M;
      Log.add(I, M.next(I));
      Next.execute(I);
      explore(Next, I, Preemptions + (Preempts && int(I) != Last));
      Log.removeLast();
    }
    if (!GoesOn)
      complete(M, Preemptions);
  }

private:
  void complete(const Machine &M, unsigned Preemptions) {
    if (All.Runs.size() == Limit) {
      All.TooMany = true;
      return;
    }
    const auto [At, IsNew] = All.Classes.try_emplace(Log.form());
    if (IsNew)
      At->second = {M.verdict(), Log.isSerializable()};
    else // Else conflicts are not all that matters.
      EXPECT_EQ(At->second.Final, M.verdict());
    All.Runs.push_back({Log.threads(), &At->first, Preemptions});
  }

  AllRuns &All;
  const size_t Limit;
  RunLog Log;
};

} // namespace

AllRuns allInterleavings(const MachineProgram &P, size_t Limit) {
  AllRuns All;
  Search(All, Limit).explore(Machine(P), -1, 0);
  return All;
}

} // namespace atsan_test
