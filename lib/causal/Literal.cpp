//===- Literal.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Literal.h"
#include <algorithm>
#include <unordered_map>

namespace atsan::causal {

namespace {

enum Colour : uint8_t { Achromatic, Blue, Yellow };

/// A marking. Everything that decides about the future is in it.
struct Net {
  std::vector<uint32_t> Node;              ///< For each thread.
  std::vector<uint8_t> Control;            ///< The colour there.
  std::vector<std::vector<uint32_t>> Open; ///< The open regions.
  std::vector<uint32_t> Owner;     ///< For each lock: thread + 1, 0 if free.
  std::vector<uint8_t> Lock;       ///< Its token's colour.
  std::vector<uint8_t> Token;      ///< Variable * threads + thread.
  std::vector<model::Value> Value; ///< For each variable that is kept.
  std::vector<Locals> Known;       ///< For each thread.
  uint32_t Chosen = 0;             ///< Thread + 1.
  uint32_t Depth = 0;              ///< Open regions at its block's begin.
  bool IsOver = false;             ///< Its block has ended.
  bool IsRed = false;

  std::string key() const {
    std::string Key;
    const auto Put = [&](uint32_t Number) {
      Key.append(reinterpret_cast<const char *>(&Number), sizeof(Number));
    };
    for (size_t T = 0; T < Node.size(); ++T) {
      Put(Node[T]);
      Put(static_cast<uint32_t>(Open[T].size()));
      for (const uint32_t Region : Open[T])
        Put(Region);
    }
    for (const uint32_t Of : Owner)
      Put(Of);
    for (const model::Value V : Value)
      Put(V);
    for (const Locals &Of : Known)
      for (const auto &V : Of) {
        Put(V.has_value());
        Put(V.value_or(0));
      }
    for (const auto *Colours : {&Control, &Lock, &Token})
      Key.append(Colours->begin(), Colours->end());
    Put(Chosen);
    Put(Depth);
    return Key;
  }
};

class Search {
public:
  Search(const Program &P, const KeptValues &K,
         const std::vector<bool> &IsChecked, net::Budget &B)
      : P(P), K(K), IsChecked(IsChecked), B(B) {
    for (uint32_t T = 0; T < P.Threads.size(); ++T)
      for (uint32_t I = 0; I < P.Threads[T].Count; ++I)
        Threads.push_back({T, I});
  }

  LiteralAnswer run() {
    for (const model::Thread &T : P.Threads)
      if (T.IsAnyNumber) {
        A.What = net::Verdict::NotApplicable;
        A.Why =
            "thread " + T.Code.Name + "[*] stands for any number of threads";
        return std::move(A);
      }
    add(initial(), SIZE_MAX, {});
    for (size_t I = 0; I < All.size() && !IsRed; ++I) {
      if (B.isSpent()) {
        A.Why = B.why();
        return std::move(A);
      }
      const Net From = All[I].Marking; // All grows.
      All[I].Marking = Net();
      for (uint32_t T = 0; T < Threads.size() && !IsRed; ++T)
        if (!From.IsOver)
          fireAll(From, I, T);
    }
    if (!IsRed) {
      A.What = net::Verdict::NotCoverable;
      A.Why = "explicit search of " + std::to_string(All.size()) +
              " markings of the coloured net";
    }
    return std::move(A);
  }

private:
  struct Entry {
    Net Marking;
    size_t From;
    ScheduleStep By;
  };

  const Program &P;
  const KeptValues &K;
  const std::vector<bool> &IsChecked;
  net::Budget &B;
  LiteralAnswer A;
  std::vector<ThreadId> Threads;
  std::vector<Entry> All;
  std::unordered_map<std::string, size_t> Known;
  bool IsRed = false;

  Net initial() const {
    Net N;
    N.Node.assign(Threads.size(), 0);
    N.Control.assign(Threads.size(), Achromatic);
    N.Open.resize(Threads.size());
    N.Owner.assign(P.Locks.size(), 0);
    N.Lock.assign(P.Locks.size(), Achromatic);
    N.Token.assign(P.Variables.size() * Threads.size(), Achromatic);
    for (const model::Variable &V : P.Variables)
      N.Value.push_back(V.Initial);
    for (const ThreadId &T : Threads)
      N.Known.push_back(firstLocals(P, K, T));
    return N;
  }

  void add(Net N, size_t From, ScheduleStep By) {
    if (IsRed || !Known.emplace(N.key(), All.size()).second)
      return;
    IsRed = N.IsRed;
    All.push_back({std::move(N), From, std::move(By)});
    if (!IsRed)
      return;
    A.What = net::Verdict::Coverable;
    for (size_t I = All.size() - 1; All[I].From != SIZE_MAX; I = All[I].From)
      A.Run.push_back(All[I].By);
    std::reverse(A.Run.begin(), A.Run.end());
  }

  const std::vector<Edge> &edges(const Net &N, uint32_t T) const {
    return P.Threads[Threads[T].Thread].Code.Nodes[N.Node[T]].Out;
  }

  void fireAll(const Net &From, size_t Index, uint32_t T) {
    const auto &Out = edges(From, T);
    for (uint32_t E = 0; E < Out.size(); ++E)
      for (const Outcome &O : outcomes(From, T, Out[E])) {
        ScheduleStep By{Threads[T], {}, {}, false};
        Net Next = From;
        if (Out[E].Is == Edge::Kind::StepBegin) {
          advance(Next, T, E, O, By);
          fireStep(Next, Index, T, By, {});
        } else {
          fireOne(std::move(Next), Index, T, E, O, By);
        }
      }
  }

  /// What an edge can do where the variables have these values.
  std::vector<Outcome> outcomes(const Net &N, uint32_t T, const Edge &E) const {
    std::vector<Outcome> All = outcomesOf(P, K, Threads[T], N.Known[T], E);
    All.erase(std::remove_if(All.begin(), All.end(),
                             [&](const Outcome &O) {
                               return O.Made.Before &&
                                      *O.Made.Before != N.Value[O.Made.Object];
                             }),
              All.end());
    return All;
  }

  void advance(Net &N, uint32_t T, uint32_t E, const Outcome &O,
               ScheduleStep &By) const {
    const Edge &Of = edges(N, T)[E];
    By.Path.push_back({N.Node[T], E, O.Made});
    By.DependsOnData |= O.DependsOnData;
    N.Node[T] = Of.To;
    N.Known[T] = O.Then;
    if (O.Made.After)
      N.Value[O.Made.Object] = *O.Made.After;
  }

  void fireOne(Net N, size_t Index, uint32_t T, uint32_t E, const Outcome &O,
               ScheduleStep By) {
    const Edge Of = edges(N, T)[E];
    const Move &M = O.Made;
    advance(N, T, E, O, By);
    if (!own(N, T, M))
      return;
    colour(N, T, {M});
    if (Of.Is == Edge::Kind::Begin)
      N.Open[T].push_back(Of.Number);
    if (Of.Is == Edge::Kind::End)
      N.Open[T].pop_back();
    if (N.Chosen == T + 1 &&
        (Of.Is == Edge::Kind::Restart || N.Open[T].size() < N.Depth))
      N.IsOver = true;
    add(N, Index, By);
    // Or the block that begins here is the chosen one.
    if (N.Chosen)
      return;
    const bool IsBegin = Of.Is == Edge::Kind::Begin;
    for (size_t Depth = N.Open[T].size(); Depth > 0; --Depth) {
      if ((IsBegin || Of.Is == Edge::Kind::Restart) &&
          IsChecked[N.Open[T][Depth - 1]])
        choose(N, T, Depth, Index, By);
      if (IsBegin)
        break; // Only this region begins here.
    }
  }

  void choose(Net N, uint32_t T, size_t Depth, size_t Index, ScheduleStep By) {
    By.Chooses = N.Open[T][Depth - 1];
    N.Chosen = T + 1;
    N.Depth = static_cast<uint32_t>(Depth);
    N.Control[T] = Blue;
    add(std::move(N), Index, std::move(By));
  }

  /// Locks have owners. False if the thread must wait.
  bool own(Net &N, uint32_t T, const Move &M) const {
    const size_t L = M.Object - P.Variables.size();
    if (M.Is == Move::Kind::Acquire) {
      if (N.Owner[L])
        return false;
      N.Owner[L] = T + 1;
    } else if (M.Is == Move::Kind::Release) {
      if (N.Owner[L] != T + 1)
        return false;
      N.Owner[L] = 0;
    }
    return true;
  }

  /// The tokens that moves take and put back: pointers into \p N.
  std::vector<uint8_t *> tokens(Net &N, uint32_t T, const Move &M) const {
    std::vector<uint8_t *> Found;
    const size_t Count = Threads.size();
    if (M.Is == Move::Kind::Read)
      Found.push_back(&N.Token[M.Object * Count + T]);
    if (M.Is == Move::Kind::Write)
      for (size_t I = 0; I < Count; ++I)
        Found.push_back(&N.Token[M.Object * Count + I]);
    if (M.Is == Move::Kind::Acquire || M.Is == Move::Kind::Release)
      Found.push_back(&N.Lock[M.Object - P.Variables.size()]);
    return Found;
  }

  /// One event with all these moves: the colours of what it takes decide the
  /// one of what it puts back.
  void colour(Net &N, uint32_t T, const std::vector<Move> &Moves) const {
    uint8_t Most = Achromatic;
    std::vector<uint8_t *> Put = {&N.Control[T]};
    for (const Move &M : Moves)
      for (uint8_t *Token : tokens(N, T, M)) {
        Put.push_back(Token);
        // A lock that the thread has is no token: only its place is taken.
        if (M.Is != Move::Kind::Release)
          Most = std::max(Most, *Token);
      }
    uint8_t Now = std::max(Most, N.Control[T]);
    if (N.Chosen == T + 1)
      N.IsRed |= Most == Yellow;
    else if (Now == Blue)
      Now = Yellow;
    for (uint8_t *Token : Put)
      *Token = Now;
  }

  void fireStep(const Net &From, size_t Index, uint32_t T,
                const ScheduleStep &By, const std::vector<Move> &Moves) {
    const auto &Out = edges(From, T);
    for (uint32_t E = 0; E < Out.size(); ++E)
      for (const Outcome &O : outcomes(From, T, Out[E])) {
        const Move &M = O.Made;
        Net Next = From;
        ScheduleStep Longer = By;
        std::vector<Move> All = Moves;
        advance(Next, T, E, O, Longer);
        if (M.Is != Move::Kind::Local) {
          if (!own(Next, T, M))
            continue;
          addMove(All, M);
        }
        if (Out[E].Is != Edge::Kind::StepEnd) {
          fireStep(Next, Index, T, Longer, All);
          continue;
        }
        colour(Next, T, All);
        add(std::move(Next), Index, Longer);
      }
  }

  /// A lock that is given and taken again within a step stays where it is.
  static void addMove(std::vector<Move> &Moves, const Move &M) {
    Move Given;
    Given.Is = Move::Kind::Release;
    Given.Object = M.Object;
    const auto Before = std::find(Moves.begin(), Moves.end(), Given);
    if (M.Is == Move::Kind::Acquire && Before != Moves.end())
      Moves.erase(Before);
    else
      Moves.push_back(M);
  }
};

} // namespace

LiteralAnswer searchLiteral(const Program &P, const KeptValues &K,
                            const std::vector<bool> &IsChecked,
                            net::Budget &B) {
  return Search(P, K, IsChecked, B).run();
}

} // namespace atsan::causal
