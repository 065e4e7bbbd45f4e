//===- Skeleton.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Skeleton.h"
#include "lib/causal/Partition.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace atsan::causal {

namespace {

/// Where a thread is: the node, the locks that it has, the regions that are
/// open, and what it knows.
struct Position {
  uint32_t Node = 0;
  std::vector<uint32_t> Held; ///< Sorted.
  std::vector<uint32_t> Open;
  Locals Known;
  bool operator<(const Position &O) const {
    return std::tie(Node, Held, Open, Known) <
           std::tie(O.Node, O.Held, O.Open, O.Known);
  }
};

class Builder {
public:
  Builder(const Program &P, const KeptValues &K, ThreadId T,
          const std::vector<bool> &IsChecked)
      : P(P), K(K), A(P.Threads[T.Thread].Code), IsChecked(IsChecked) {
    S.Of = T;
  }

  Skeleton build() {
    number({0, {}, {}, firstLocals(P, K, S.Of)});
    for (uint32_t I = 0; I < Positions.size(); ++I) {
      if (Positions.size() > MaxStates && !K.Variables.empty())
        throw TooManyStates();
      S.States[I].Open = Positions[I].Open;
      searchSteps(I);
    }
    findClasses();
    return std::move(S);
  }

private:
  const Program &P;
  const KeptValues &K;
  const Automaton &A;
  const std::vector<bool> &IsChecked;
  Skeleton S;
  std::vector<Position> Positions;
  std::map<Position, uint32_t> Numbers;

  using Label =
      std::tuple<Step::Kind, uint32_t, uint32_t, std::vector<Move>, uint32_t>;

  static Label labelOf(const Step &Of, const std::vector<uint32_t> &Classes) {
    return {Of.Is, Of.Depth, Of.Region, Of.Moves, Classes[Of.To]};
  }

  using Signature = std::pair<std::vector<uint32_t>, std::set<Label>>;

  Signature signatureOf(uint32_t State,
                        const std::vector<uint32_t> &Classes) const {
    Signature Result{S.States[State].Open, {}};
    for (const Step &Of : S.States[State].Out)
      Result.second.insert(labelOf(Of, Classes));
    return Result;
  }

  /// Refines the partition of the states until steps of one class lead to the
  /// same classes.
  void refine() {
    Partition P(S.States.size());
    for (uint32_t I = 0; I < S.States.size(); ++I)
      for (const Step &Of : S.States[I].Out)
        P.addStep(I, Of.To);
    while (!P.changed().empty()) {
      std::map<uint32_t, std::map<Signature, std::vector<uint32_t>>> Groups;
      for (const uint32_t I : P.changed())
        Groups[P.classes()[I]][signatureOf(I, P.classes())].push_back(I);
      for (auto &[Class, Of] : Groups) {
        const std::optional<uint32_t> Other = P.unchangedOf(Class);
        Of.erase(Other ? signatureOf(*Other, P.classes()) : largest(Of));
      }
      P.beginRound();
      for (auto &[Class, Of] : Groups)
        for (auto &[Alike, States] : Of)
          P.move(Class, std::move(States));
    }
    S.ClassOf = P.classes();
  }

  static Signature
  largest(const std::map<Signature, std::vector<uint32_t>> &Groups) {
    return std::max_element(Groups.begin(), Groups.end(),
                            [](const auto &A, const auto &B) {
                              return A.second.size() < B.second.size();
                            })
        ->first;
  }

  /// Classes are numbered by their first states.
  void findClasses() {
    refine();
    std::map<uint32_t, uint32_t> Known;
    for (uint32_t &Class : S.ClassOf)
      Class = Known.emplace(Class, Known.size()).first->second;
    S.Classes.assign(Known.size(), {});
    std::vector<bool> IsDone(S.Classes.size());
    for (size_t I = 0; I < S.States.size(); ++I) {
      const uint32_t Class = S.ClassOf[I];
      if (IsDone[Class])
        continue;
      IsDone[Class] = true;
      S.Classes[Class].Open = S.States[I].Open;
      std::set<Label> Seen;
      for (Step Of : S.States[I].Out)
        if (Seen.insert(labelOf(Of, S.ClassOf)).second) {
          Of.To = S.ClassOf[Of.To];
          Of.Path.clear();
          S.Classes[Class].Out.push_back(std::move(Of));
        }
    }
  }

  uint32_t number(const Position &At) {
    const auto [It, IsNew] = Numbers.emplace(At, Positions.size());
    if (IsNew) {
      Positions.push_back(At);
      S.States.emplace_back();
    }
    return It->second;
  }

  /// A way from the state through edges that nobody notices.
  struct Way {
    Position At;
    std::vector<EdgeRef> Path;
    bool DependsOnData = false;
  };

  /// Finds all steps from a state, each by a shortest way.
  void searchSteps(uint32_t From) {
    std::set<Position> Seen = {Positions[From]};
    std::vector<Way> Ways = {{Positions[From], {}, false}};
    for (size_t I = 0; I < Ways.size(); ++I) {
      const Way Here = Ways[I]; // Ways grows.
      const auto &Out = A.Nodes[Here.At.Node].Out;
      for (uint32_t E = 0; E < Out.size(); ++E)
        for (const Outcome &O : outcomesOf(P, K, S.Of, Here.At.Known, Out[E])) {
          const Move &M = O.Made;
          Way Next = Here;
          pass(Next, E, O);
          if (Out[E].Is == Edge::Kind::StepBegin)
            goThroughStep(From, std::move(Next), {});
          else if (isStep(Out[E], M, Here.At))
            addStep(From, Next, Out[E], M);
          else if (Seen.insert(Next.At).second)
            Ways.push_back(std::move(Next));
        }
    }
  }

  void pass(Way &W, uint32_t E, const Outcome &O) const {
    const Edge &Of = A.Nodes[W.At.Node].Out[E];
    W.Path.push_back({W.At.Node, E, O.Made});
    W.DependsOnData |= O.DependsOnData;
    W.At.Known = O.Then;
    W.At.Node = Of.To;
    if (Of.Is == Edge::Kind::Begin && IsChecked[Of.Number])
      W.At.Open.push_back(Of.Number);
    if (Of.Is == Edge::Kind::End && IsChecked[Of.Number])
      W.At.Open.pop_back();
  }

  bool isStep(const Edge &E, const Move &M, const Position &Before) const {
    if (E.Is == Edge::Kind::Begin || E.Is == Edge::Kind::End)
      return IsChecked[E.Number];
    if (E.Is == Edge::Kind::Restart)
      return !Before.Open.empty();
    return M.Is != Move::Kind::Local;
  }

  /// Takes or gives a lock; false if the thread cannot.
  static bool changeHeld(Position &At, const Move &M) {
    auto It = std::lower_bound(At.Held.begin(), At.Held.end(), M.Object);
    const bool Has = It != At.Held.end() && *It == M.Object;
    if (M.Is == Move::Kind::Acquire && !Has)
      At.Held.insert(It, M.Object);
    else if (M.Is == Move::Kind::Release && Has)
      At.Held.erase(It);
    else if (M.Is == Move::Kind::Acquire || M.Is == Move::Kind::Release)
      return false;
    return true;
  }

  void addStep(uint32_t From, Way &W, const Edge &E, const Move &M) {
    Step New;
    if (E.Is == Edge::Kind::Begin || E.Is == Edge::Kind::End) {
      const bool IsBegin = E.Is == Edge::Kind::Begin;
      New.Is = IsBegin ? Step::Kind::Begin : Step::Kind::End;
      New.Depth = W.At.Open.size() + (IsBegin ? 0 : 1);
      New.Region = E.Number;
    } else if (E.Is == Edge::Kind::Restart) {
      New.Is = Step::Kind::Restart;
    } else if (changeHeld(W.At, M)) {
      New.Moves = {M};
    } else {
      return;
    }
    finish(From, W, std::move(New));
  }

  void finish(uint32_t From, Way &W, Step New) {
    New.Path = std::move(W.Path);
    New.DependsOnData = W.DependsOnData;
    New.To = number(W.At);
    // Two ways to the same step: the first one is as good, or better where it
    // depends on no data.
    for (Step &Old : S.States[From].Out)
      if (Old.Is == New.Is && Old.To == New.To && Old.Moves == New.Moves &&
          Old.Depth == New.Depth && Old.Region == New.Region) {
        if (Old.DependsOnData && !New.DependsOnData)
          Old = std::move(New);
        return;
      }
    S.States[From].Out.push_back(std::move(New));
  }

  /// Adds a step for each way to the end of a `step` block: it has no loops.
  void goThroughStep(uint32_t From, Way W, std::vector<Move> Moves) {
    const auto &Out = A.Nodes[W.At.Node].Out;
    for (uint32_t E = 0; E < Out.size(); ++E)
      for (const Outcome &O : outcomesOf(P, K, S.Of, W.At.Known, Out[E])) {
        const Move &M = O.Made;
        Way Next = W;
        std::vector<Move> All = Moves;
        if (M.Is != Move::Kind::Local &&
            (!changeHeld(Next.At, M) || !add(All, M, Out[E])))
          continue;
        pass(Next, E, O);
        if (Out[E].Is == Edge::Kind::StepEnd) {
          Step New;
          New.Moves = std::move(All);
          finish(From, Next, std::move(New));
        } else {
          goThroughStep(From, std::move(Next), std::move(All));
        }
      }
  }

  /// A write has what a read has; a lock that is taken and given back in one
  /// step is like a variable that is written. False if the step has just given
  /// the object another value than the one that is read.
  static bool add(std::vector<Move> &Moves, const Move &M, const Edge &E) {
    const auto Same =
        std::find_if(Moves.begin(), Moves.end(), [&](const Move &Other) {
          return Other.Object == M.Object;
        });
    if (Same == Moves.end()) {
      if (Moves.size() == MaxMoves)
        throw model::ModelError(E.At,
                                "a step accesses more than " +
                                    std::to_string(MaxMoves) +
                                    " variables and locks",
                                "--causal decides smaller ones: divide it");
      Moves.push_back(M);
      std::sort(Moves.begin(), Moves.end());
      return true;
    }
    if (M.Before && M.Before != Same->After)
      return false;
    if (Same->Is == Move::Kind::Release) {
      Moves.erase(Same); // Taken again at once: nobody has noticed.
      return true;
    }
    if (Same->Is != M.Is)
      Same->Is = Move::Kind::Write;
    Same->After = M.After;
    return true;
  }
};

} // namespace

const Step &Skeleton::stepAs(uint32_t State, const Step &Label) const {
  const Step *Found = nullptr;
  for (const Step &Of : States[State].Out)
    if (Of.Is == Label.Is && Of.Depth == Label.Depth &&
        Of.Region == Label.Region && Of.Moves == Label.Moves &&
        ClassOf[Of.To] == Label.To && (!Found || Found->DependsOnData))
      Found = &Of;
  if (!Found)
    throw std::logic_error("states of one class differ");
  return *Found;
}

std::string Skeleton::shape() const {
  std::string Text;
  const auto Put = [&](uint32_t Number) {
    Text += std::to_string(Number);
    Text += ' ';
  };
  for (const SkeletonState &State : Classes) {
    Text += '/';
    Put(State.Open.size());
    for (const Step &Of : State.Out) {
      Text += ';';
      Put(static_cast<uint32_t>(Of.Is));
      Put(Of.Depth);
      Put(Of.To);
      for (const Move &M : Of.Moves) {
        Put(static_cast<uint32_t>(M.Is));
        Put(M.Object);
        for (const auto &V : {M.Before, M.After})
          Text += V ? "=" + std::to_string(*V) + " " : "- ";
      }
    }
  }
  return Text;
}

Skeleton makeSkeleton(const Program &P, const KeptValues &K, ThreadId T,
                      const std::vector<bool> &IsChecked) {
  return Builder(P, K, T, IsChecked).build();
}

} // namespace atsan::causal
