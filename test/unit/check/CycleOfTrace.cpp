//===- CycleOfTrace.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CycleOfTrace.h"

using namespace atsan::check;
using atsan::trace::EventKind;
namespace trace = atsan::trace;

namespace atsan_test {

namespace {

class Checker {
public:
  Checker(const RandomTrace &T, const Oracle &O) : T(T), O(O) {}
  std::string check(const Finding &F) const;
  std::set<uint64_t> blamed(const Finding &F) const;
  uint64_t regionOf(uint64_t Number) const;

private:
  int step(const NumberedEvent &E) const {
    auto I = T.StepOfEvent.find(E.Number);
    return I == T.StepOfEvent.end() ? -1 : I->second;
  }
  const Event &event(int Step) const { return O.events()[Step]; }
  bool isConflict(int First, int Later) const;
  // Nodes of both ends, -1 if the edge is none.
  std::pair<int, int> nodes(const Relation &R) const;

  const RandomTrace &T;
  const Oracle &O;
};

} // namespace

bool Checker::isConflict(int First, int Later) const {
  const Event &E = event(Later);
  for (uint32_t B = E.Offset; B < E.Offset + E.Size; ++B)
    if (O.conflict(First, Later, B))
      return true;
  return false;
}

std::pair<int, int> Checker::nodes(const Relation &R) const {
  const int First = step(R.First), Later = step(R.Later);
  const std::pair<int, int> None = {-1, -1};
  if (R.Why == "thread start") {
    if (First < 0 || R.Later.Number || event(First).What != Op::Create ||
        T.NumberOf[event(First).Other] != R.Later.What.Thread)
      return None;
    return {O.node(First), O.firstNode(event(First).Other)};
  }
  if (R.Why == "thread join") {
    if (Later < 0 || R.First.Number || event(Later).What != Op::Join ||
        T.NumberOf[event(Later).Other] != R.First.What.Thread)
      return None;
    return {O.lastNode(event(Later).Other), O.node(Later)};
  }
  if (First < 0 || Later <= First)
    return None;
  const Event &A = event(First), &B = event(Later);
  if (T.NumberOf[A.Thread] != R.First.What.Thread ||
      T.NumberOf[B.Thread] != R.Later.What.Thread)
    return None;
  const bool IsLock = A.What == Op::Release && B.What == Op::Acquire &&
                      A.Other == B.Other && !(A.Shared && B.Shared) &&
                      A.Thread != B.Thread;
  if (R.Why == "lock" ? !IsLock : !isConflict(First, Later))
    return None;
  return {O.node(First), O.node(Later)};
}

std::string Checker::check(const Finding &F) const {
  const size_t N = F.Relations.size();
  if (N < 2)
    return "has less than two edges";
  std::vector<std::pair<int, int>> Ends;
  for (size_t I = 0; I < N; ++I) {
    Ends.push_back(nodes(F.Relations[I]));
    const std::string Edge = "edge " + std::to_string(I + 1) + " (" +
                             std::to_string(F.Relations[I].First.Number) +
                             " -> " +
                             std::to_string(F.Relations[I].Later.Number) + ")";
    if (Ends[I].first < 0)
      return Edge + " is none: " + F.Relations[I].Why;
    if (I && (F.Relations[I - 1].Later.What.Thread !=
                  F.Relations[I].First.What.Thread ||
              Ends[I - 1].second > Ends[I].first))
      return Edge + " does not follow the one before";
  }
  if (Ends.front().first != Ends.back().second)
    return "does not end where it begins";
  if (!O.isRegion(Ends.back().second))
    return "does not close in a region";
  if (F.Relations.back().Later.Number != F.Closing)
    return "is not closed by the event that is named";
  return "";
}

// The begin of the outermost region that the event is in; 0: it is alone.
uint64_t Checker::regionOf(uint64_t Number) const {
  if (!Number || T.Given.Splits.isBoundary(T.Events[Number - 1].Kind))
    return 0;
  const uint32_t Thread = T.Events[Number - 1].Thread;
  unsigned Depth = 0;
  uint64_t Begin = 0;
  for (uint64_t N = 1; N <= Number; ++N) {
    const trace::Event &E = T.Events[N - 1];
    if (E.Kind == EventKind::Join && E.Address == Thread)
      Depth = 0;
    if (E.Thread != Thread)
      continue;
    if (E.Kind == EventKind::RegionBegin && !Depth++)
      Begin = N;
    if (E.Kind == EventKind::RegionEnd && Depth)
      --Depth;
    if (E.Kind == EventKind::End)
      Depth = 0;
  }
  return Depth ? Begin : 0;
}

std::set<uint64_t> Checker::blamed(const Finding &F) const {
  const int Closing = nodes(F.Relations.back()).second;
  const int ClosingStep = step(F.Relations.back().Later);
  bool IsAlone = true;
  std::set<uint64_t> All;
  for (size_t I = 0; I < F.Relations.size(); ++I) {
    const Relation &R = F.Relations[I];
    const int Out = nodes(R).first;
    if (I && Out == nodes(F.Relations[I - 1]).second && R.First.Number &&
        R.First.Number < F.Relations[I - 1].Later.Number)
      IsAlone = IsAlone && O.ranWhole(Out, Closing, ClosingStep);
    for (const NumberedEvent *E : {&R.First, &R.Later})
      if (const uint64_t Begin = regionOf(E->Number))
        All.insert(Begin);
  }
  return IsAlone ? std::set<uint64_t>{regionOf(F.Closing)} : All;
}

std::set<uint64_t> blamedBy(const RandomTrace &T, const Oracle &O,
                            const Finding &F) {
  return Checker(T, O).blamed(F);
}

std::string wrongInCycle(const RandomTrace &T, const Oracle &O,
                         const Finding &F) {
  return Checker(T, O).check(F);
}

} // namespace atsan_test
