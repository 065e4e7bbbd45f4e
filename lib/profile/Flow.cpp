//===- Flow.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Flow.h"
#include <algorithm>
#include <map>

namespace atsan::profile {

using model::Edge;
using model::Move;

namespace {

class Builder {
public:
  Builder(const model::Program &P, model::ThreadId T, bool WithLocks,
          check::Limits &Limit)
      : P(P), T(T), WithLocks(WithLocks), Limit(Limit) {}

  Flow build() {
    context(&P.Threads[T.Thread].Code, {}, false);
    for (uint32_t S = 0; S < Result.States.size() && !Limit.reached(); ++S)
      expand(S);
    Result.Contexts = Contexts.size();
    return std::move(Result);
  }

private:
  using Locks = std::vector<uint32_t>;

  struct Caller {
    uint32_t State;
    const Edge *Of;
  };
  struct Context {
    const model::Automaton *Code;
    bool InRegion;
    uint32_t Entry;
    std::vector<uint32_t> Exits;
    std::vector<Caller> Callers;
    std::map<std::pair<uint32_t, Locks>, uint32_t> Numbers;
  };

  const model::Program &P;
  model::ThreadId T;
  bool WithLocks;
  check::Limits &Limit;
  Flow Result;
  std::vector<Context> Contexts;
  std::map<std::tuple<const model::Automaton *, Locks, bool>, uint32_t> Known;

  uint32_t context(const model::Automaton *Code, const Locks &Held,
                   bool InRegion) {
    const auto [It, IsNew] =
        Known.emplace(std::make_tuple(Code, Held, InRegion), Contexts.size());
    if (IsNew) {
      Contexts.push_back({Code, InRegion, 0, {}, {}, {}});
      const uint32_t Entry = state(It->second, 0, Held, InRegion);
      Contexts[It->second].Entry = Entry;
    }
    return It->second;
  }

  uint32_t state(uint32_t In, uint32_t Node, const Locks &Held, bool InRegion) {
    const auto [It, IsNew] = Contexts[In].Numbers.emplace(
        std::make_pair(Node, Held), Result.States.size());
    if (IsNew)
      Result.States.push_back({In, Node, InRegion, Held, {}, {}});
    return It->second;
  }

  void expand(uint32_t S) {
    const FlowState From = Result.States[S]; // The states grow.
    const model::Automaton &Code = *Contexts[From.Context].Code;
    const auto &Out = Code.Nodes[From.Node].Out;
    if (Out.empty())
      return exit(S);
    const model::KnownLocals Self = model::knowsSelf(Code, T.Replica);
    for (const Edge &E : Out)
      for (const Move &M : model::movesOf(P, Self, E)) {
        if (E.Is == Edge::Kind::Call) {
          call(S, E);
          continue;
        }
        Locks Held = From.Held;
        if (!take(E, M, Held))
          continue;
        const uint32_t To =
            state(From.Context, E.To, Held, isInRegion(From, E));
        Result.States[S].Out.push_back({&E, M, To, FlowEdge::None});
      }
  }

  /// Changes the held locks; false if the thread cannot go on.
  bool take(const Edge &E, const Move &M, Locks &Held) {
    const bool IsAcquire = M.Is == Move::Kind::Acquire;
    if (!WithLocks || (!IsAcquire && M.Is != Move::Kind::Release))
      return true;
    const uint32_t Lock = M.Object - model::lockObject(P, 0);
    const auto At = std::find(Held.begin(), Held.end(), Lock);
    if (IsAcquire == (At != Held.end()))
      return false;
    if (IsAcquire) {
      Held.push_back(Lock);
      return true;
    }
    if (At + 1 != Held.end() && !Result.NotNested)
      Result.NotNested = &E;
    Held.erase(At);
    return true;
  }

  bool isInRegion(const FlowState &From, const Edge &E) const {
    switch (E.Is) {
    case Edge::Kind::Begin:
      return true;
    case Edge::Kind::End:
      return E.Depth > 1 || Contexts[From.Context].InRegion;
    default:
      return From.InRegion;
    }
  }

  void call(uint32_t S, const Edge &E) {
    const FlowState From = Result.States[S]; // The states grow.
    const uint32_t To =
        context(&P.Procedures[E.Number], From.Held, From.InRegion);
    Result.States[S].Enters.push_back(Contexts[To].Entry);
    Contexts[To].Callers.push_back({S, &E});
    for (size_t I = 0; I < Contexts[To].Exits.size(); ++I)
      comeBack({S, &E}, Contexts[To].Exits[I]);
  }

  void exit(uint32_t S) {
    Context &In = Contexts[Result.States[S].Context];
    In.Exits.push_back(S);
    for (const Caller &C : std::vector<Caller>(In.Callers))
      comeBack(C, S);
  }

  void comeBack(const Caller &C, uint32_t Exit) {
    const FlowState From = Result.States[C.State];
    const uint32_t To =
        state(From.Context, C.Of->To, Result.States[Exit].Held, From.InRegion);
    Result.States[C.State].Out.push_back({C.Of, {}, To, Exit});
  }
};

} // namespace

Flow makeFlow(const model::Program &P, model::ThreadId T, bool WithLocks,
              check::Limits &Limit) {
  return Builder(P, T, WithLocks, Limit).build();
}

} // namespace atsan::profile
