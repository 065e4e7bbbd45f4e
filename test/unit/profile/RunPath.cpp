//===- RunPath.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunPath.h"
#include <map>
#include <set>

using namespace atsan::model;

namespace {

/// Where a thread may be: the automata with their nodes, the innermost last.
using Stack = std::vector<std::pair<const Automaton *, uint32_t>>;

bool isLogged(Edge::Kind Is) {
  switch (Is) {
  case Edge::Kind::Read:
  case Edge::Kind::Write:
  case Edge::Kind::Cas:
  case Edge::Kind::Acquire:
  case Edge::Kind::Release:
  case Edge::Kind::Begin:
  case Edge::Kind::End:
  case Edge::Kind::Restart:
  case Edge::Kind::StepBegin:
  case Edge::Kind::StepEnd:
    return true;
  default:
    return false;
  }
}

bool isLockEdge(Edge::Kind Is) {
  return Is == Edge::Kind::Acquire || Is == Edge::Kind::Release;
}

/// All stacks that the thread gets to without an action.
std::set<Stack> closure(const Program &P, const std::set<Stack> &From,
                        bool WithLocks) {
  constexpr size_t Deepest = 12;
  std::set<Stack> Seen = From;
  std::vector<Stack> Work(From.begin(), From.end());
  const auto Add = [&](Stack S) {
    if (S.size() <= Deepest && Seen.insert(S).second)
      Work.push_back(std::move(S));
  };
  while (!Work.empty()) {
    const Stack Now = std::move(Work.back());
    Work.pop_back();
    const Node &At = Now.back().first->Nodes[Now.back().second];
    if (At.Out.empty() && Now.size() > 1) {
      Stack Back = Now;
      Back.pop_back();
      Add(std::move(Back));
    }
    for (const Edge &E : At.Out) {
      Stack Next = Now;
      Next.back().second = E.To;
      if (E.Is == Edge::Kind::Call)
        Next.push_back({&P.Procedures[E.Number], 0});
      else if (isLogged(E.Is) && (WithLocks || !isLockEdge(E.Is)))
        continue;
      Add(std::move(Next));
    }
  }
  return Seen;
}

} // namespace

std::string atsan_test::problemOf(const Program &P,
                                  const std::vector<Action> &Run,
                                  bool WithLocks) {
  std::vector<std::set<Stack>> Threads;
  for (const Thread &T : P.Threads)
    for (uint32_t I = 0; I < T.Count; ++I)
      Threads.push_back({{{&T.Code, 0}}});
  std::map<uint32_t, unsigned> Owners;
  unsigned InStep = 0; // The thread, counted from 1.
  for (const Action &A : Run) {
    if (InStep && InStep != A.Thread + 1)
      return "a step is interrupted";
    std::set<Stack> All;
    for (const Stack &S : closure(P, Threads[A.Thread], WithLocks))
      for (const Edge &E : S.back().first->Nodes[S.back().second].Out)
        if (&E == A.What) {
          Stack Moved = S;
          Moved.back().second = E.To;
          All.insert(Moved);
        }
    if (All.empty())
      return "a thread does what it cannot do, in line " +
             std::to_string(A.What->At.Line);
    Threads[A.Thread] = std::move(All);
    if (A.What->Is == Edge::Kind::StepBegin)
      InStep = A.Thread + 1;
    if (A.What->Is == Edge::Kind::StepEnd)
      InStep = 0;
    if (A.What->Is == Edge::Kind::Acquire && Owners[A.Object])
      return "a lock has two owners";
    if (A.What->Is == Edge::Kind::Acquire)
      Owners[A.Object] = A.Thread + 1;
    if (A.What->Is == Edge::Kind::Release && Owners[A.Object] != A.Thread + 1)
      return "a lock is released that the thread has not";
    if (A.What->Is == Edge::Kind::Release)
      Owners[A.Object] = 0;
  }
  return InStep ? "a step has no end" : "";
}
