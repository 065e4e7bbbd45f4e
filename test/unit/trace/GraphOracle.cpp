//===- GraphOracle.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphOracle.h"
#include <map>

using namespace atsan::trace;

namespace {

using Node = size_t;

bool covers(const Event &E, uint64_t Byte) {
  return Byte >= E.Address && Byte - E.Address < E.Size;
}

/// Do the two share a byte that lives on between them?
bool conflict(const std::vector<Event> &Events, size_t I, size_t J) {
  const Event &A = Events[I], &B = Events[J];
  if (!isAccess(A.Kind) || !isAccess(B.Kind) ||
      !(writes(A.Kind) || writes(B.Kind)))
    return false;
  for (uint64_t K = 0; K < A.Size; ++K) {
    bool IsShared = covers(B, A.Address + K);
    for (size_t M = I + 1; M < J; ++M)
      if ((Events[M].Kind == EventKind::Birth ||
           Events[M].Kind == EventKind::Death) &&
          covers(Events[M], A.Address + K))
        IsShared = false;
    if (IsShared)
      return true;
  }
  return false;
}

/// Is it, outside regions, a transaction of its own?
bool isTransaction(const Event &E, bool LockEdges) {
  switch (E.Kind) {
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    return LockEdges;
  case EventKind::Start:
  case EventKind::Join:
    return true;
  default:
    return isAccess(E.Kind);
  }
}

constexpr Node None = SIZE_MAX;

/// Each event's transaction: its region's part, a node of its own, or none.
std::vector<Node> transactions(const std::vector<Event> &Events, bool LockEdges,
                               bool SplitThreads) {
  struct State {
    unsigned Depth = 0;
    Node Current = 0;
  };
  std::map<uint32_t, State> Threads;
  std::vector<Node> Result;
  Node Fresh = 0;
  for (const Event &E : Events) {
    State &S = Threads[E.Thread];
    const bool IsThreads =
        E.Kind == EventKind::Start || E.Kind == EventKind::Join;
    const bool IsBoundary = E.Kind == EventKind::BarrierArrive ||
                            E.Kind == EventKind::BarrierLeave ||
                            E.Kind == EventKind::Wait ||
                            (SplitThreads && IsThreads);
    if (E.Kind == EventKind::RegionBegin && !S.Depth++)
      S.Current = Fresh++;
    if (IsBoundary || !S.Depth) {
      Result.push_back(isTransaction(E, LockEdges) ? Fresh++ : None);
      S.Current = Fresh++;
      continue;
    }
    Result.push_back(S.Current);
    if (E.Kind == EventKind::RegionEnd)
      --S.Depth;
    if (E.Kind == EventKind::End)
      S.Depth = 0;
    if (E.Kind == EventKind::Restart)
      S.Current = Fresh++;
  }
  return Result;
}

bool isEdge(const std::vector<Event> &Events, size_t I, size_t J,
            bool LockEdges) {
  const Event &A = Events[I], &B = Events[J];
  if (A.Thread == B.Thread || conflict(Events, I, J) ||
      (A.Kind == EventKind::Start && A.Address == B.Thread) ||
      (B.Kind == EventKind::Join && B.Address == A.Thread))
    return true;
  if (!LockEdges || A.Address != B.Address)
    return false;
  const bool ToAll = A.Kind == EventKind::Release;
  const bool ToExclusive = A.Kind == EventKind::ReleaseShared;
  return (ToAll && (B.Kind == EventKind::Acquire ||
                    B.Kind == EventKind::AcquireShared)) ||
         (ToExclusive && B.Kind == EventKind::Acquire);
}

} // namespace

size_t atsan::trace::closingEvent(const std::vector<Event> &Events,
                                  bool LockEdges, bool SplitThreads) {
  const std::vector<Node> Of = transactions(Events, LockEdges, SplitThreads);
  const size_t N = Of.empty() ? 0 : 2 * Events.size() + 1;
  std::vector<std::vector<bool>> Reaches(N, std::vector<bool>(N));
  for (size_t J = 0; J < Events.size(); ++J)
    for (size_t I = 0; I < J; ++I) {
      const Node From = Of[I], To = Of[J];
      if (From == None || To == None || From == To || Reaches[From][To] ||
          !isEdge(Events, I, J, LockEdges))
        continue;
      if (Reaches[To][From])
        return J + 1;
      for (Node A = 0; A < N; ++A)
        if (A == From || Reaches[A][From])
          for (Node B = 0; B < N; ++B)
            if (B == To || Reaches[To][B])
              Reaches[A][B] = true;
    }
  return 0;
}
