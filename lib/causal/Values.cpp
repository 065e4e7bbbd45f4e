//===- Values.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Values.h"
#include <algorithm>

namespace atsan::causal {

using model::Automaton;
using model::Formula;
using model::Range;
using model::Value;

namespace {

bool isSmall(const Range &Of) {
  return int64_t(Of.High) - Of.Low < MaxKeptValues;
}

/// Locals are kept if they are small and no elements of arrays.
std::vector<bool> keptLocals(const Automaton &A) {
  std::vector<bool> Kept;
  Kept.reserve(A.Locals.size());
  for (const model::Local &L : A.Locals)
    Kept.push_back(isSmall(L.Of));
  const auto Drop = [&](uint32_t First, uint32_t Count) {
    for (uint32_t I = First; Count > 1 && I < First + Count; ++I)
      Kept[I] = false;
  };
  for (const model::Node &N : A.Nodes)
    for (const Edge &E : N.Out) {
      Drop(E.Target.First, E.Target.Count);
      for (const Formula *F :
           {&E.What, &E.Second, &E.Target.Index, &E.Where.Index})
        for (const Formula::Instruction &I : F->code())
          if (I.Is == Formula::Code::Element)
            Drop(static_cast<uint32_t>(I.Number), I.Count);
    }
  return Kept;
}

class Taker {
public:
  Taker(const Program &P, const KeptValues &K, ThreadId T, const Locals &Now,
        const Edge &E)
      : P(P), K(K), T(T), Now(Now), E(E) {}

  std::vector<Outcome> take() {
    switch (E.Is) {
    case Edge::Kind::Test:
    case Edge::Kind::Assume:
    case Edge::Kind::Assert:
      test();
      break;
    case Edge::Kind::Set:
      assign(Outcome{{}, Now}, model::knownValue(E.What, Now));
      break;
    case Edge::Kind::Choose:
      assign(Outcome{{}, Now}, std::nullopt);
      break;
    case Edge::Kind::Read:
    case Edge::Kind::Write:
    case Edge::Kind::Cas:
      for (const Move &M : objects())
        access(M);
      break;
    default:
      for (const Move &M : objects())
        All.push_back({M, Now, isElementDropped()});
    }
    return std::move(All);
  }

private:
  const Program &P;
  const KeptValues &K;
  ThreadId T;
  const Locals &Now;
  const Edge &E;
  std::vector<Outcome> All;

  std::vector<Move> objects() const { return model::movesOf(P, Now, E); }

  bool isElementDropped() const {
    return !E.Where.Index.empty() && !model::knownValue(E.Where.Index, Now);
  }

  void test() {
    const auto V = model::knownValue(E.What, Now);
    // What runs on behind a false assertion is no run.
    if (!V || *V)
      All.push_back({{}, Now, !V});
  }

  /// Adds an outcome in which the edge's target has this value.
  void assign(Outcome O, std::optional<Value> V) {
    if (!E.Target.Index.empty() || E.Target.Count > 1) {
      All.push_back(std::move(O));
      return;
    }
    const uint32_t Slot = E.Target.First;
    const bool IsKept = T.Thread < K.Locals.size() && K.Locals[T.Thread][Slot];
    if (IsKept && V && !P.Threads[T.Thread].Code.Locals[Slot].Of.has(*V))
      return; // An error of the model ends the run.
    if (Slot < O.Then.size() && P.Threads[T.Thread].Code.Self != Slot)
      O.Then[Slot] = IsKept ? V : std::nullopt;
    All.push_back(std::move(O));
  }

  void access(Move M) {
    Outcome O{M, Now, isElementDropped()};
    if (!K.keeps(M.Object)) {
      O.DependsOnData |= E.Is == Edge::Kind::Cas; // It writes, or only reads.
      if (E.Is == Edge::Kind::Write)
        All.push_back(std::move(O));
      else
        assign(std::move(O), std::nullopt);
      return;
    }
    const Range &Of = P.Variables[M.Object].Of;
    for (int64_t V = Of.Low; V <= Of.High; ++V)
      accessKept(O, Of, static_cast<Value>(V));
  }

  /// \p V: what is read or written.
  void accessKept(Outcome O, const Range &Of, Value V) {
    O.Made.After = V;
    if (E.Is == Edge::Kind::Write) {
      const auto New = model::knownValue(E.What, Now);
      O.DependsOnData |= !New;
      if (!New || *New == V)
        All.push_back(std::move(O));
      return;
    }
    O.Made.Before = V;
    if (E.Is == Edge::Kind::Read)
      return assign(std::move(O), V);
    const auto Old = model::knownValue(E.What, Now);
    O.DependsOnData |= !Old;
    if (!Old || *Old != V) {
      Outcome Fails = O;
      Fails.Made.Is = Move::Kind::Read;
      assign(std::move(Fails), 0);
    }
    if (!Old || *Old == V)
      succeed(std::move(O), Of);
  }

  void succeed(Outcome O, const Range &Of) {
    const auto New = model::knownValue(E.Second, Now);
    O.DependsOnData |= !New;
    for (int64_t V = Of.Low; V <= Of.High; ++V)
      if (!New || *New == V) {
        O.Made.After = static_cast<Value>(V);
        assign(O, 1);
      }
  }
};

} // namespace

KeptValues keptValues(const Program &P) {
  KeptValues K;
  for (const model::Variable &V : P.Variables)
    K.Variables.push_back(V.Is == model::Storage::Sync && isSmall(V.Of));
  // What threads know means nothing where nothing else is known.
  if (std::find(K.Variables.begin(), K.Variables.end(), true) ==
      K.Variables.end())
    return {};
  for (const model::Thread &T : P.Threads)
    K.Locals.push_back(keptLocals(T.Code));
  return K;
}

Locals firstLocals(const Program &P, const KeptValues &K, ThreadId T) {
  const Automaton &A = P.Threads[T.Thread].Code;
  Locals First(A.Locals.size());
  for (size_t L = 0; L < First.size(); ++L)
    if (T.Thread < K.Locals.size() && K.Locals[T.Thread][L])
      First[L] = A.Locals[L].Initial;
  if (A.Self)
    First[*A.Self] = static_cast<Value>(T.Replica);
  return First;
}

/// Behind a read for an assume: does the thread find that it is false? Then it
/// waits with the read.
static bool isFalse(const Program &P, const KeptValues &K, ThreadId T,
                    const Locals &Now, uint32_t Node) {
  for (const Edge &E : P.Threads[T.Thread].Code.Nodes[Node].Out) {
    switch (E.Is) {
    case Edge::Kind::Skip:
    case Edge::Kind::Set:
    case Edge::Kind::Test:
      for (const Outcome &O : Taker(P, K, T, Now, E).take())
        if (!isFalse(P, K, T, O.Then, E.To))
          return false;
      continue;
    case Edge::Kind::Assume:
      return model::knownValue(E.What, Now) == Value(0);
    default:
      return false;
    }
  }
  return true;
}

std::vector<Outcome> outcomesOf(const Program &P, const KeptValues &K,
                                ThreadId T, const Locals &Now, const Edge &E) {
  std::vector<Outcome> All = Taker(P, K, T, Now, E).take();
  if (E.IsOfAssume)
    All.erase(std::remove_if(All.begin(), All.end(),
                             [&](const Outcome &O) {
                               return isFalse(P, K, T, O.Then, E.To);
                             }),
              All.end());
  return All;
}

} // namespace atsan::causal
