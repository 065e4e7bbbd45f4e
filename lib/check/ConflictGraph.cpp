//===- ConflictGraph.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ConflictGraph.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

static constexpr uint32_t NoLife = ~0u;

ConflictGraph::ConflictGraph(const Options &O)
    : Given(O), Limit(O), Order(O.Splits), Found(O) {}

bool ConflictGraph::consume(trace::EventSpan Events) {
  for (const Event &E : Events) {
    if (!Found.wantsMore() || Limit.reached())
      return false;
    take(E);
  }
  return Found.wantsMore();
}

// --- Nodes. ------------------------------------------------------------------

ConflictGraph::Life &ConflictGraph::lifeOf(uint32_t Thread) {
  if (Thread >= LifeOfThread.size())
    LifeOfThread.resize(size_t(Thread) + 1, NoLife);
  uint32_t &L = LifeOfThread[Thread];
  if (L == NoLife || Lives[L].Ended) {
    L = Lives.size();
    Lives.emplace_back();
    Lives.back().Thread = Thread;
  }
  return Lives[L];
}

ConflictGraph::NodeId ConflictGraph::newNode(Life &L) {
  const NodeId N = Nodes.size();
  Nodes.emplace_back();
  Nodes[N].Life = LifeOfThread[L.Thread];
  if (L.Last != None) {
    Nodes[L.Last].Out.push_back({N, 0, 0, reason::ProgramOrder});
    ++Edges;
  }
  L.Last = N;
  L.Preds.clear();
  return N;
}

ConflictGraph::NodeId ConflictGraph::nodeOf(const Event &E, Step S) {
  Life &L = lifeOf(E.Thread);
  L.HasTransaction = true;
  if (S == Step::Unary) {
    L.Current = None; // A boundary; what follows is another part.
    return newNode(L);
  }
  if (L.Current == None)
    L.Current = newNode(L);
  return L.Current;
}

// --- Edges. ------------------------------------------------------------------

// Searches breadth first, so that the cycle is a short one.
bool ConflictGraph::reaches(NodeId From, NodeId To) {
  if (Nodes[From].Out.empty())
    return false;
  ++Searches;
  Queue.assign(1, From);
  Nodes[From].Search = Searches;
  for (size_t I = 0; I < Queue.size(); ++I) {
    const NodeId N = Queue[I];
    for (uint32_t Via = 0; Via < Nodes[N].Out.size(); ++Via) {
      const NodeId Next = Nodes[N].Out[Via].To;
      if (Nodes[Next].Search == Searches)
        continue;
      Nodes[Next].Search = Searches;
      Nodes[Next].From = N;
      Nodes[Next].Via = Via;
      if (Next == To)
        return true;
      Queue.push_back(Next);
    }
  }
  return false;
}

void ConflictGraph::addEdge(NodeId From, NodeId To, Edge Evidence,
                            const Event &E) {
  if (From == None || Nodes[From].Life == Nodes[To].Life)
    return;
  Life &L = Lives[Nodes[To].Life];
  if (L.Preds.count(From))
    return;
  if (reaches(To, From)) {
    if (!IsClosed)
      report(From, To, Evidence, E);
    IsClosed = true;
    return;
  }
  L.Preds.insert(From);
  Evidence.To = To;
  Nodes[From].Out.push_back(Evidence);
  ++Edges;
}

void ConflictGraph::report(NodeId From, NodeId To, const Edge &Closing,
                           const Event &E) {
  std::vector<Relation> Cycle;
  auto Add = [&](const Edge &By, NodeId Source, NodeId Target) {
    if (By.Why == reason::ProgramOrder)
      return;
    Cycle.push_back(relation(By.Why, By.First, Lives[Nodes[Source].Life].Thread,
                             By.Later, Lives[Nodes[Target].Life].Thread));
  };
  Add(Closing, From, To);
  for (NodeId N = From; N != To; N = Nodes[N].From)
    Add(Nodes[Nodes[N].From].Out[Nodes[N].Via], Nodes[N].From, N);
  std::reverse(Cycle.begin(), Cycle.end());
  Found.add(Lives[Nodes[To].Life].RegionBegin, {Count, E}, std::move(Cycle));
}

// --- Events. -----------------------------------------------------------------

void ConflictGraph::access(const Event &E, NodeId At) {
  const Edge Conflict = {None, 0, Count, reason::Conflict};
  const bool IsWrite = writes(E.Kind);
  Bytes.update(E.Address, E.Size, [&](History &H, uint64_t) {
    auto From = [&](const Access &A) {
      Edge Evidence = Conflict;
      Evidence.First = A.Number;
      addEdge(A.By, At, Evidence, E);
    };
    if (IsWrite) {
      From(H.Write);
      for (const Access &A : H.Reads)
        From(A);
      H.Write = {At, Count};
      H.Reads.clear();
      return;
    }
    const auto Own =
        std::find_if(H.Reads.begin(), H.Reads.end(), [&](const Access &A) {
          return Nodes[A.By].Life == Nodes[At].Life;
        });
    // A repetition brings no edge: its edge is there, or closed a cycle.
    if (Own != H.Reads.end() && Own->By == At)
      return;
    From(H.Write);
    if (Own != H.Reads.end())
      *Own = {At, Count};
    else
      H.Reads.push_back({At, Count});
  });
}

void ConflictGraph::acquire(const Event &E, NodeId At, bool IsShared) {
  Lock &L = Locks[E.Address];
  addEdge(L.Exclusive.By, At, {None, L.Exclusive.Number, Count, reason::Lock},
          E);
  if (IsShared)
    return;
  for (const Access &A : L.Shared)
    addEdge(A.By, At, {None, A.Number, Count, reason::Lock}, E);
  L.Shared.clear();
}

void ConflictGraph::release(const Event &E, NodeId At, bool IsShared) {
  Lock &L = Locks[E.Address];
  if (IsShared)
    L.Shared.push_back({At, Count});
  else
    L.Exclusive = {At, Count};
}

void ConflictGraph::start(const Event &E, Step S) {
  const NodeId At = nodeOf(E, S);
  const uint32_t Child = E.Address;
  if (Child < LifeOfThread.size() && LifeOfThread[Child] != NoLife &&
      !Lives[LifeOfThread[Child]].Ended)
    return; // The child runs already.
  const NodeId First = newNode(lifeOf(Child));
  addEdge(At, First, {None, Count, 0, reason::ThreadStart}, E);
}

void ConflictGraph::join(const Event &E, Step S) {
  const NodeId At = nodeOf(E, S);
  const uint32_t Child = E.Address;
  if (Child == E.Thread || Child >= LifeOfThread.size() ||
      LifeOfThread[Child] == NoLife)
    return;
  Life &L = Lives[LifeOfThread[Child]];
  L.Ended = true;
  L.Current = None;
  if (L.HasTransaction)
    addEdge(L.Last, At, {None, 0, Count, reason::ThreadJoin}, E);
}

void ConflictGraph::forget(const Event &E) {
  Bytes.erase(E.Address, E.Size);
  for (auto I = Locks.lower_bound(E.Address);
       I != Locks.end() && I->first - E.Address < E.Size;)
    I = Locks.erase(I);
}

void ConflictGraph::take(const Event &E) {
  ++Count;
  IsClosed = false;
  const Step S = Order.take(E);
  if (Found.hasHeld())
    Found.pass(E, S);
  if (E.Kind != EventKind::End)
    lifeOf(E.Thread); // The thread runs, whatever the event does.
  switch (E.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
    if (E.Size)
      access(E, nodeOf(E, S));
    break;
  case EventKind::Birth:
  case EventKind::Death:
    forget(E);
    break;
  case EventKind::RegionBegin:
    if (S == Step::Begin) {
      Life &L = lifeOf(E.Thread);
      L.Current = None;
      L.RegionBegin = {Count, E};
      L.HasTransaction = true;
    }
    break;
  case EventKind::RegionEnd:
  case EventKind::Restart:
    if (S == Step::End || S == Step::Restart)
      lifeOf(E.Thread).Current = None;
    break;
  case EventKind::Acquire:
  case EventKind::AcquireShared:
    if (Given.LockEdges)
      acquire(E, nodeOf(E, S), isShared(E.Kind));
    break;
  case EventKind::Release:
  case EventKind::ReleaseShared:
    if (Given.LockEdges)
      release(E, nodeOf(E, S), isShared(E.Kind));
    break;
  case EventKind::Start:
    start(E, S);
    break;
  case EventKind::Join:
    join(E, S);
    break;
  case EventKind::End:
    if (E.Thread < LifeOfThread.size() && LifeOfThread[E.Thread] != NoLife) {
      Life &L = Lives[LifeOfThread[E.Thread]];
      L.Ended = true;
      L.Current = None;
    }
    break;
  case EventKind::BarrierArrive:
  case EventKind::BarrierLeave:
  case EventKind::Wait:
    if (S == Step::Unary)
      lifeOf(E.Thread).Current = None; // A boundary, perhaps; no edge.
    break;
  case EventKind::Pointer:
  case EventKind::Signal:
  case EventKind::Woken:
  case EventKind::HappensBefore:
  case EventKind::HappensAfter:
  case EventKind::TryFailed:
    break;
  }
}

std::vector<std::pair<std::string, uint64_t>>
ConflictGraph::statistics() const {
  return {{"nodes", Nodes.size()},
          {"edges", Edges},
          {"byte ranges", Bytes.entries()},
          {"searches for a cycle", Searches}};
}
