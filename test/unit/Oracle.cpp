//===-- Oracle.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The brute-force conflict graph.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

namespace atsan_test {

Oracle::ThreadState &Oracle::thread(unsigned T) {
  if (T >= Threads.size())
    Threads.resize(T + 1);
  return Threads[T];
}

void Oracle::addEdge(int From, int To) {
  if (From >= 0 && From != To)
    Nodes[From].Out.insert(To);
}

// The next transaction of a thread, in program order after the last one.
int Oracle::newNode(unsigned T) {
  int N = Nodes.size();
  Nodes.emplace_back();
  ThreadState &S = thread(T);
  addEdge(S.Last, N);
  if (S.First < 0)
    S.First = N;
  S.Last = N;
  return N;
}

// The region that the thread is in, or else a unary transaction.
int Oracle::nodeForEvent(unsigned T) {
  thread(T).HasTransaction = true;
  return thread(T).Depth ? thread(T).Open : newNode(T);
}

void Oracle::beginRegion(unsigned T) {
  int N = newNode(T);
  Nodes[N].IsRegion = true;
  Nodes[N].Begin = static_cast<int>(Events.size()) - 1;
  thread(T).HasTransaction = true;
  thread(T).Open = N;
}

void Oracle::endRegion(unsigned T) {
  if (thread(T).Depth)
    Nodes[thread(T).Open].End = static_cast<int>(Events.size()) - 1;
  thread(T).Depth = 0;
}

bool Oracle::ranWhole(int Node, int Within, int Before) const {
  const auto &Inner = Nodes[Node], &Outer = Nodes[Within];
  return Inner.IsRegion && Inner.Begin > Outer.Begin && Inner.End >= 0 &&
         Inner.End < Before;
}

bool Oracle::conflict(int Earlier, int Later, uint32_t Byte) const {
  const Event &A = Events[Earlier], &B = Events[Later];
  auto Covers = [&](const Event &E) {
    return Byte >= E.Offset && Byte - E.Offset < E.Size;
  };
  if (Earlier >= Later || A.What != Op::Access || B.What != Op::Access ||
      A.Thread == B.Thread || !Covers(A) || !Covers(B) ||
      !(IsWrite(A.Kind) || IsWrite(B.Kind)))
    return false;
  for (int I = Earlier + 1; I < Later; I++)
    if (Events[I].What == Op::Forget && Covers(Events[I]))
      return false;
  return true;
}

void Oracle::access(const Event &E, int Index, int Node) {
  if (E.Offset + E.Size > History.size())
    History.resize(E.Offset + E.Size);
  for (uint32_t Byte = E.Offset; Byte < E.Offset + E.Size; Byte++) {
    for (int Past : History[Byte]) {
      const Event &P = Events[Past];
      if (P.Thread != E.Thread && (IsWrite(P.Kind) || IsWrite(E.Kind)))
        addEdge(NodeOfEvent[Past], Node);
    }
    History[Byte].push_back(Index);
  }
}

void Oracle::acquire(const Event &E, int Node) {
  if (E.Other >= Releases.size())
    return;
  for (int Past : Releases[E.Other])
    if (!(Events[Past].Shared && E.Shared))
      addEdge(NodeOfEvent[Past], Node);
}

bool Oracle::reaches(int From, int To) const {
  std::vector<bool> Seen(Nodes.size());
  std::vector<int> Stack(1, From);
  while (!Stack.empty()) {
    int N = Stack.back();
    Stack.pop_back();
    for (int Next : Nodes[N].Out) {
      if (Next == To)
        return true;
      if (!Seen[Next]) {
        Seen[Next] = true;
        Stack.push_back(Next);
      }
    }
  }
  return false;
}

bool Oracle::hasCycle() const {
  // Take away nodes without incoming edges; what stays holds a cycle.
  std::vector<int> Incoming(Nodes.size());
  for (const Node &N : Nodes)
    for (int Next : N.Out)
      Incoming[Next]++;
  std::vector<int> Ready;
  for (size_t N = 0; N < Nodes.size(); N++)
    if (!Incoming[N])
      Ready.push_back(N);
  size_t Taken = 0;
  while (!Ready.empty()) {
    int N = Ready.back();
    Ready.pop_back();
    Taken++;
    for (int Next : Nodes[N].Out)
      if (!--Incoming[Next])
        Ready.push_back(Next);
  }
  return Taken != Nodes.size();
}

bool Oracle::apply(const Event &E) {
  int Index = Events.size();
  Events.push_back(E);
  NodeOfEvent.push_back(-1);
  int &N = NodeOfEvent[Index];
  unsigned T = E.Thread;

  // A boundary stands between the region's two halves, in neither of them.
  unsigned SplitDepth = E.Split ? thread(T).Depth : 0;
  if (SplitDepth)
    endRegion(T);

  switch (E.What) {
  case Op::Start:
    newNode(T);
    break;
  case Op::Create:
    N = nodeForEvent(T);
    addEdge(N, newNode(E.Other));
    break;
  case Op::End:
    endRegion(T);
    break;
  case Op::Detach:
    break;
  case Op::Join:
    N = nodeForEvent(T);
    if (thread(E.Other).HasTransaction)
      addEdge(thread(E.Other).Last, N);
    break;
  case Op::Begin:
    if (thread(T).Depth++ == 0)
      beginRegion(T);
    break;
  case Op::Leave:
    if (thread(T).Depth == 1)
      endRegion(T);
    else
      thread(T).Depth--;
    break;
  case Op::Access:
    N = nodeForEvent(T);
    access(E, Index, N);
    break;
  case Op::Forget:
    for (uint32_t B = E.Offset; B < E.Offset + E.Size; B++)
      if (B < History.size())
        History[B].clear();
    break;
  case Op::Acquire:
    N = nodeForEvent(T);
    acquire(E, N);
    break;
  case Op::Release:
    N = nodeForEvent(T);
    if (E.Other >= Releases.size())
      Releases.resize(E.Other + 1);
    Releases[E.Other].push_back(Index);
    break;
  }

  if (SplitDepth) {
    thread(T).Depth = SplitDepth;
    beginRegion(T);
  }
  // Every edge of this event ends in its node, or in one that is new.
  return N >= 0 && reaches(N, N);
}

int firstViolation(const Schedule &S) {
  Oracle O;
  for (size_t I = 0; I < S.size(); I++)
    if (O.apply(S[I]))
      return I;
  return -1;
}

} // namespace atsan_test
