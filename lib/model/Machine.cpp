//===- Machine.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Machine.h"
#include "lib/model/Runner.h"
#include <algorithm>

using namespace atsan::model;

Outcomes::One &Outcomes::add() {
  if (Size == All.size())
    All.emplace_back();
  One &New = All[Size++];
  New.IsViolation = false;
  New.EndsRegion = false;
  New.Error = Fault::None;
  New.Log.clear();
  return New;
}

static unsigned bitsFor(int64_t Values) {
  unsigned Bits = 0;
  while ((int64_t(1) << Bits) < Values)
    ++Bits;
  return Bits;
}

void Machine::addField(Value Low, Value High) {
  Fields.push_back({Low, bitsFor(int64_t(High) - Low + 1)});
}

Machine::Machine(const Program &P, const Sharing &Shared, const Property &Asked)
    : P(P), Shared(Shared), Asked(Asked) {
  Shared.requireOneWriter();
  uint32_t Total = 0;
  for (const Thread &T : P.Threads) {
    if (T.IsAnyNumber)
      throw ModelError(T.At, "a search cannot have any number of threads",
                       "write thread " + T.Code.Name + "[N] with a number");
    Total += T.Count;
    if (Total > MaxThreads)
      throw ModelError(T.At,
                       "a search has at most " + std::to_string(MaxThreads) +
                           " threads",
                       "write a smaller number of threads");
  }
  for (const Variable &V : P.Variables)
    addField(V.Of.Low, V.Of.High);
  FirstLock = Fields.size();
  for (size_t L = 0; L < P.Locks.size(); ++L)
    addField(0, static_cast<Value>(Total));
  FirstPending = Fields.size();
  // The value that a write in progress brings, counted from 1; 0: none.
  for (const Variable &V : P.Variables)
    if (isRegister(V))
      addField(0, V.Of.High - V.Of.Low + 1);
  for (unsigned Code = 0; Code < P.Threads.size(); ++Code) {
    findStops(Code);
    findRegions(Code);
    findLoops(Code);
    findDead(Code);
    findOwn(Code);
    const Thread &T = P.Threads[Code];
    for (uint32_t I = 0; I < T.Count; ++I) {
      Replicas.push_back({Code, static_cast<uint32_t>(Fields.size()), I});
      addField(0, static_cast<Value>(StopNodes[Code].size()) - 1);
      for (const Local &L : T.Code.Locals)
        addField(L.Of.Low, L.Of.High);
    }
  }
  FirstMonitor = Fields.size();
  for (const unsigned Bits : Asked.widths())
    Fields.push_back({0, Bits});
  PendingOf.resize(P.Variables.size());
  uint32_t Pending = FirstPending;
  for (size_t V = 0; V < P.Variables.size(); ++V)
    PendingOf[V] = isRegister(P.Variables[V]) ? Pending++ : 0;
}

std::string Machine::threadName(unsigned T) const {
  return replicaName(P.Threads[Replicas[T].Code], Replicas[T].Number);
}

bool Machine::isStop(const Node &N) const {
  if (N.Out.empty())
    return true;
  const Edge &E = N.Out[0];
  switch (E.Is) {
  case Edge::Kind::Read:
  case Edge::Kind::Write:
  case Edge::Kind::Cas:
    return Shared.isShared(E.Where);
  case Edge::Kind::Acquire:
  case Edge::Kind::Release:
  case Edge::Kind::StepBegin:
    return true;
  case Edge::Kind::Invoke:
  case Edge::Kind::Return:
    return Asked.hasOperations();
  default:
    return false;
  }
}

// Marks the ends of back edges of a depth-first search.
void Machine::findLoops(unsigned Code) {
  const std::vector<Node> &Nodes = P.Threads[Code].Code.Nodes;
  BeginsLoop.emplace_back(Nodes.size());
  enum : uint8_t { New, Open, Done };
  std::vector<uint8_t> Is(Nodes.size(), New);
  std::vector<std::pair<uint32_t, size_t>> Path = {{0, 0}};
  Is[0] = Open;
  while (!Path.empty()) {
    auto &[N, Next] = Path.back();
    if (Next == Nodes[N].Out.size()) {
      Is[N] = Done;
      Path.pop_back();
      continue;
    }
    const uint32_t To = Nodes[N].Out[Next++].To;
    if (Is[To] == Open)
      BeginsLoop[Code][To] = true;
    if (Is[To] != New)
      continue;
    Is[To] = Open;
    Path.push_back({To, 0});
  }
}

void Machine::findStops(unsigned Code) {
  const std::vector<Node> &Nodes = P.Threads[Code].Code.Nodes;
  std::vector<bool> IsInStep(Nodes.size());
  for (const Node &N : Nodes)
    for (const Edge &E : N.Out)
      if (E.Is == Edge::Kind::StepBegin)
        markStep(Nodes, E.To, IsInStep);
  StopOf.emplace_back(Nodes.size(), -1);
  StopNodes.push_back({None});
  for (size_t N = 0; N < Nodes.size(); ++N)
    if (!IsInStep[N] && isStop(Nodes[N])) {
      StopOf[Code][N] = static_cast<int>(StopNodes[Code].size());
      StopNodes[Code].push_back(N);
    }
}

void Machine::markStep(const std::vector<Node> &Nodes, uint32_t From,
                       std::vector<bool> &IsInStep) {
  std::vector<uint32_t> Work = {From};
  while (!Work.empty()) {
    const uint32_t N = Work.back();
    Work.pop_back();
    if (IsInStep[N])
      continue;
    IsInStep[N] = true;
    for (const Edge &E : Nodes[N].Out)
      if (E.Is != Edge::Kind::StepEnd)
        Work.push_back(E.To);
  }
}

void Machine::findRegions(unsigned Code) {
  const std::vector<Node> &Nodes = P.Threads[Code].Code.Nodes;
  InRegion.emplace_back(Nodes.size());
  std::vector<bool> Seen(Nodes.size());
  std::vector<uint32_t> Work = {0};
  Seen[0] = true;
  while (!Work.empty()) {
    const uint32_t N = Work.back();
    Work.pop_back();
    for (const Edge &E : Nodes[N].Out) {
      if (Seen[E.To])
        continue;
      Seen[E.To] = true;
      const bool Ends = E.Is == Edge::Kind::End && E.Depth == 1;
      InRegion[Code][E.To] =
          !Ends && (InRegion[Code][N] || E.Is == Edge::Kind::Begin);
      Work.push_back(E.To);
    }
  }
}

namespace {

void addUses(const Formula &F, std::vector<bool> &To) {
  for (const Formula::Instruction &I : F.code())
    if (I.Is == Formula::Code::Local)
      To[I.Number] = true;
    else if (I.Is == Formula::Code::Element)
      for (uint32_t At = 0; At < I.Count; ++At)
        To[I.Number + At] = true;
}

// The locals that an edge writes for certain; none where the index varies.
bool definesOne(const Edge &E) {
  const bool Writes = E.Is == Edge::Kind::Set || E.Is == Edge::Kind::Choose ||
                      E.Is == Edge::Kind::Read || E.Is == Edge::Kind::Cas;
  return Writes && E.Target.Index.empty();
}

} // namespace

// Backwards: a local is alive where a later edge uses it before one sets it.
void Machine::findDead(unsigned Code) {
  const Automaton &A = P.Threads[Code].Code;
  const size_t Count = A.Locals.size();
  std::vector<std::vector<bool>> Alive(A.Nodes.size(),
                                       std::vector<bool>(Count));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t N = A.Nodes.size(); N--;) {
      std::vector<bool> Now = Alive[N];
      for (const Edge &E : A.Nodes[N].Out) {
        std::vector<bool> Before = Alive[E.To];
        if (definesOne(E))
          Before[E.Target.First] = false;
        for (const Formula *F :
             {&E.What, &E.Second, &E.Target.Index, &E.Where.Index})
          addUses(*F, Before);
        for (size_t L = 0; L < Count; ++L)
          Now[L] = Now[L] || Before[L];
      }
      Changed = Changed || Now != Alive[N];
      Alive[N] = std::move(Now);
    }
  }
  Dead.emplace_back();
  for (const uint32_t N : StopNodes[Code]) {
    Dead[Code].emplace_back();
    for (size_t L = 0; L < Count; ++L)
      if ((N == None || !Alive[N][L]) && A.Self != L)
        Dead[Code].back().push_back(
            {static_cast<uint32_t>(L), A.Locals[L].Initial});
  }
}

static bool accessesLocals(const Edge &E) {
  return E.Is == Edge::Kind::Skip || E.Is == Edge::Kind::Set ||
         E.Is == Edge::Kind::Choose || E.Is == Edge::Kind::Test ||
         E.Is == Edge::Kind::Assume || E.Is == Edge::Kind::Assert ||
         E.Is == Edge::Kind::Begin || E.Is == Edge::Kind::End ||
         E.Is == Edge::Kind::Restart;
}

// Backwards: an access to anything else takes it from all nodes that lead
// there.
void Machine::findOwn(unsigned Code) {
  const std::vector<Node> &Nodes = P.Threads[Code].Code.Nodes;
  std::vector<bool> Is(Nodes.size(), true);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t N = Nodes.size(); N--;)
      for (const Edge &E : Nodes[N].Out)
        if (Is[N] && StopOf[Code][N] < 0 && !(accessesLocals(E) && Is[E.To])) {
          Is[N] = false;
          Changed = true;
        }
  }
  IsOwn.push_back(std::move(Is));
}

void Machine::begin(Outcomes &Out) const {
  Out.clear();
  Outcomes::One &First = Out.add();
  First.State.assign(Fields.size(), 0);
  Value *S = First.State.data();
  for (size_t V = 0; V < P.Variables.size(); ++V)
    S[V] = P.Variables[V].Initial;
  for (const Replica &R : Replicas) {
    const Automaton &A = P.Threads[R.Code].Code;
    for (size_t L = 0; L < A.Locals.size(); ++L)
      S[R.Stop + 1 + L] = A.Locals[L].Initial;
    if (A.Self)
      S[R.Stop + 1 + *A.Self] = static_cast<Value>(R.Number);
  }
  Asked.begin(S + FirstMonitor);
  for (unsigned T = 0; T < Replicas.size(); ++T) {
    Outcomes All;
    All.WantsLogs = Out.WantsLogs;
    All.Reached = Out.Reached;
    All.TooMany = Out.TooMany;
    for (size_t I = 0; I < Out.size(); ++I)
      if (!Out[I].IsViolation && Out[I].Error == Fault::None)
        Runner(*this, T, All).begin(Out[I]);
      else
        All.add() = Out[I];
    std::swap(Out, All);
  }
}

void Machine::step(const Value *From, unsigned T, Outcomes &Out) const {
  Out.clear();
  const uint32_t N = node(From, T);
  if (N != None && !P.Threads[Replicas[T].Code].Code.Nodes[N].Out.empty())
    Runner(*this, T, Out).step(From, N);
}

int Machine::compare(const Value *S, unsigned A, unsigned B) const {
  const size_t Size = P.Threads[Replicas[A].Code].Code.Locals.size() + 1;
  const Value *VA = S + Replicas[A].Stop, *VB = S + Replicas[B].Stop;
  for (size_t I = 0; I < Size; ++I)
    if (VA[I] != VB[I])
      return VA[I] < VB[I] ? -1 : 1;
  return 0;
}

void Machine::rename(Value *S, const std::vector<unsigned> &New) const {
  std::vector<Value> Old(S, S + Fields.size());
  for (unsigned T = 0; T < Replicas.size(); ++T) {
    const size_t Size = P.Threads[Replicas[T].Code].Code.Locals.size() + 1;
    std::copy_n(Old.data() + Replicas[T].Stop, Size, S + Replicas[New[T]].Stop);
  }
  for (uint32_t L = FirstLock; L < FirstPending; ++L)
    if (Old[L])
      S[L] = static_cast<Value>(New[Old[L] - 1]) + 1;
  Asked.rename(S + FirstMonitor, New);
}
