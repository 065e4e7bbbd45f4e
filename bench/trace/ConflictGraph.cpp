//===-- ConflictGraph.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The textbook's conflict graph.
//
//===----------------------------------------------------------------------===//

#include "ConflictGraph.h"

#include <algorithm>

namespace trace {

static constexpr unsigned kGranule = 8;

// Function(granule, mask of the bytes in it).
template <typename F> static void forEachGranule(const Record &R, F Function) {
  uint64_t Last = R.Address + R.Size - 1;
  for (uint64_t G = R.Address / kGranule; G <= Last / kGranule; ++G) {
    unsigned From = std::max(R.Address, G * kGranule) % kGranule;
    unsigned To = std::min(Last, G * kGranule + kGranule - 1) % kGranule;
    Function(G, static_cast<uint8_t>((2u << To) - (1u << From)));
  }
}

void ConflictGraph::open(ThreadState &T) {
  Node Last = T.Current;
  T.Current = Predecessors.size();
  T.IsOpen = true;
  T.HasEvents = false;
  Predecessors.emplace_back();
  if (Last != kNone) {
    T.Entering.insert(Last);
    ++NumEdges;
  }
  if (T.Parent.Transaction != kNone)
    enter(T, T.Parent);
  T.Parent.Transaction = kNone;
}

void ConflictGraph::close(ThreadState &T) {
  if (!T.IsOpen)
    return;
  Predecessors[T.Current].assign(T.Entering.begin(), T.Entering.end());
  T.Entering.clear();
  T.IsOpen = false;
}

// Transactions of one thread have numbers that grow.
bool ConflictGraph::isNew(const ThreadState &T, Source From) {
  auto Found = T.Known.find(From.Thread);
  return Found == T.Known.end() || Found->second < From.Transaction;
}

void ConflictGraph::enter(ThreadState &T, Source From) {
  if (T.Entering.insert(From.Transaction).second)
    ++NumEdges;
  if (isNew(T, From))
    T.Known[From.Thread] = From.Transaction;
}

ConflictGraph::Node ConflictGraph::event(ThreadState &T, bool IsEntered) {
  if (!T.InRegion && T.IsOpen && T.HasEvents && IsEntered)
    close(T);
  if (!T.IsOpen)
    open(T);
  T.HasEvents = true;
  return T.Current;
}

void ConflictGraph::add(const Record &R) {
  ThreadState &T = Threads[R.Thread];
  switch (R.Kind) {
  case What::Begin:
    close(T);
    open(T);
    T.InRegion = true;
    break;
  case What::End:
    close(T);
    T.InRegion = false;
    break;
  case What::Create:
    if (R.Address < Threads.size())
      Threads[R.Address].Parent = {event(T, false), R.Thread};
    break;
  case What::Join:
    if (R.Address < Threads.size() && Threads[R.Address].Current != kNone) {
      Source Ended = {Threads[R.Address].Current,
                      static_cast<uint16_t>(R.Address)};
      event(T, isNew(T, Ended));
      enter(T, Ended);
    }
    break;
  case What::Exit:
    close(T);
    break;
  case What::Forget:
    forget(R);
    break;
  default:
    access(R);
  }
}

// Collects the transactions that conflict, and takes the thread's own entry out
// of the history: the latest change comes last. Returns false if nothing is
// new.
bool ConflictGraph::addConflicts(History &H, uint16_t Thread, uint8_t Bytes,
                                 bool IsWrite, Access &Mine) {
  Node Current = Threads[Thread].IsOpen ? Threads[Thread].Current : kNone;
  if (!H.empty() && H.back().Transaction == Current) {
    const Access &Last = H.back();
    uint8_t Done = IsWrite ? Last.WritesDone : Last.ReadsDone | Last.WritesDone;
    if ((Bytes & ~Done) == 0) {
      Mine = Last;
      H.pop_back();
      return false;
    }
  }
  size_t Own = H.size();
  for (size_t I = 0; I < H.size(); ++I) {
    const Access &A = H[I];
    if (A.Transaction == Current)
      Own = I;
    else if (A.Thread != Thread &&
             Bytes & (IsWrite ? A.Reads | A.Writes : A.Writes))
      Sources.push_back({A.Transaction, A.Thread});
  }
  if (Own != H.size()) {
    Mine = H[Own];
    if (Own + 1 != H.size())
      Mine.ReadsDone = Mine.WritesDone = 0;
    H.erase(H.begin() + Own);
  }
  return true;
}

void ConflictGraph::access(const Record &R) {
  ThreadState &T = Threads[R.Thread];
  bool Writes = isWrite(R.Kind);
  Sources.clear();
  Changes.clear();
  bool IsNews = false;
  forEachGranule(R, [&](uint64_t G, uint8_t Bytes) {
    Change C = {&Histories[G], {kNone, R.Thread, 0, 0, 0, 0}, Bytes};
    IsNews |= addConflicts(*C.H, R.Thread, Bytes, Writes, C.Mine);
    Changes.push_back(C);
  });
  // All edges into an event outside regions enter the same transaction.
  if (IsNews)
    event(T, std::any_of(Sources.begin(), Sources.end(),
                         [&](Source From) { return isNew(T, From); }));
  for (Source From : Sources)
    enter(T, From);
  for (Change &C : Changes) {
    // An earlier transaction keeps what it did.
    if (C.Mine.Transaction != T.Current) {
      if (C.Mine.Transaction != kNone)
        C.H->push_back(C.Mine);
      C.Mine = {T.Current, R.Thread, 0, 0, 0, 0};
    }
    (Writes ? C.Mine.Writes : C.Mine.Reads) |= C.Bytes;
    (Writes ? C.Mine.WritesDone : C.Mine.ReadsDone) |= C.Bytes;
    C.H->push_back(C.Mine);
  }
}

void ConflictGraph::forget(const Record &R) {
  forEachGranule(R, [&](uint64_t G, uint8_t Bytes) {
    auto Found = Histories.find(G);
    if (Found == Histories.end())
      return;
    History &H = Found->second;
    for (Access &A : H) {
      A.Reads &= ~Bytes;
      A.Writes &= ~Bytes;
    }
    H.erase(std::remove_if(H.begin(), H.end(),
                           [](Access &A) { return !(A.Reads | A.Writes); }),
            H.end());
    if (H.empty())
      Histories.erase(Found);
  });
}

bool ConflictGraph::hasCycle() {
  for (ThreadState &T : Threads)
    close(T);
  enum : uint8_t { Unseen, OnPath, Done };
  std::vector<uint8_t> State(Predecessors.size(), Unseen);
  // A node and how many of its predecessors were visited.
  std::vector<std::pair<Node, size_t>> Path;
  for (Node Root = 0; Root < Predecessors.size(); ++Root) {
    if (State[Root] != Unseen)
      continue;
    State[Root] = OnPath;
    Path.emplace_back(Root, 0);
    while (!Path.empty()) {
      auto &[At, Visited] = Path.back();
      if (Visited == Predecessors[At].size()) {
        State[At] = Done;
        Path.pop_back();
        continue;
      }
      Node Next = Predecessors[At][Visited++];
      if (State[Next] == OnPath)
        return true;
      if (State[Next] == Unseen) {
        State[Next] = OnPath;
        Path.emplace_back(Next, 0);
      }
    }
  }
  return false;
}

} // namespace trace
