//===- Replay.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Schedule.h"
#include <algorithm>
#include <map>

namespace atsan::causal {

namespace {

/// What happened at once: an edge of a thread, or a whole `step` block.
struct Happening {
  size_t Step;
  ThreadId Thread;
  std::vector<Move> Moves;
};

struct ThreadState {
  uint32_t Node = 0;
  std::vector<uint32_t> Open; ///< Regions.
  Locals Known;
};

bool isLess(const ThreadId &A, const ThreadId &B) {
  return std::tie(A.Thread, A.Replica) < std::tie(B.Thread, B.Replica);
}

class Interpreter {
public:
  Interpreter(const Program &P, const KeptValues &K, const Schedule &S)
      : P(P), K(K), S(S), Threads(isLess) {
    for (const model::Variable &V : P.Variables)
      Values.push_back(V.Initial);
  }

  Replayed run() {
    for (Number = 0; Number < S.size() && R.Problem.empty(); ++Number)
      execute(S[Number]);
    if (R.Problem.empty() && Begin == SIZE_MAX)
      R.Problem = "no block is chosen";
    if (!R.Problem.empty())
      return std::move(R);
    look();
    return std::move(R);
  }

private:
  const Program &P;
  const KeptValues &K;
  const Schedule &S;
  Replayed R;
  std::vector<model::Value> Values; ///< By variable; those that are kept count.
  size_t Number = 0;                ///< The number of the step.
  std::map<ThreadId, ThreadState, decltype(&isLess)> Threads;
  std::map<uint32_t, ThreadId> Owner; ///< By whom a lock is held.
  std::vector<Happening> All;
  bool InStep = false;
  size_t Begin = SIZE_MAX, End = SIZE_MAX; ///< Happenings of the chosen block.
  size_t Depth = 0;

  void fail(const std::string &Why) {
    R.Problem = "step " + std::to_string(Number + 1) + ": " + Why;
  }

  void execute(const ScheduleStep &Step) {
    const model::Thread &T = P.Threads.at(Step.Thread.Thread);
    if (!T.IsAnyNumber && Step.Thread.Replica >= T.Count)
      return fail("there is no such thread");
    const auto [At, IsNew] = Threads.try_emplace(Step.Thread);
    ThreadState &State = At->second;
    if (IsNew)
      State.Known = firstLocals(P, K, Step.Thread);
    InStep = false;
    for (const EdgeRef &E : Step.Path) {
      const auto &Out = T.Code.Nodes.at(State.Node).Out;
      if (E.Node != State.Node || E.Edge >= Out.size())
        return fail("the thread is elsewhere");
      const std::vector<Outcome> Possible =
          outcomesOf(P, K, Step.Thread, State.Known, Out[E.Edge]);
      const auto Made =
          std::find_if(Possible.begin(), Possible.end(),
                       [&](const Outcome &O) { return O.Made == E.Made; });
      if (Made == Possible.end())
        return fail("the edge does something else");
      if (E.Made.Before && *E.Made.Before != Values[E.Made.Object])
        return fail("the variable has another value");
      if (E.Made.After)
        Values[E.Made.Object] = *E.Made.After;
      State.Known = Made->Then;
      State.Node = Out[E.Edge].To;
      take(Step, State, Out[E.Edge], E.Made);
      if (!R.Problem.empty())
        return;
    }
    if (InStep)
      fail("it ends within a step");
  }

  void take(const ScheduleStep &Step, ThreadState &State, const Edge &E,
            const Move &M) {
    const ThreadId Id = Step.Thread;
    if (M.Is == Move::Kind::Acquire && !Owner.emplace(M.Object, Id).second)
      return fail("the lock is not free");
    if (M.Is == Move::Kind::Release) {
      const auto It = Owner.find(M.Object);
      if (It == Owner.end() || !(It->second == Id))
        return fail("the thread does not have the lock");
      Owner.erase(It);
    }
    if (!InStep) {
      All.push_back({Number, Id, {}});
    }
    if (M.Is != Move::Kind::Local)
      All.back().Moves.push_back(M);
    if (E.Is == Edge::Kind::StepBegin)
      InStep = true;
    if (E.Is == Edge::Kind::StepEnd)
      InStep = false;
    if (E.Is == Edge::Kind::Begin)
      State.Open.push_back(E.Number);
    if (E.Is == Edge::Kind::End)
      State.Open.pop_back();
    watchBlock(Step, State, E);
  }

  /// Notes where the chosen block begins and ends.
  void watchBlock(const ScheduleStep &Step, const ThreadState &State,
                  const Edge &E) {
    const bool IsRestart = E.Is == Edge::Kind::Restart;
    if (Begin != SIZE_MAX && End == SIZE_MAX &&
        Step.Thread == All[Begin].Thread &&
        (IsRestart || State.Open.size() < Depth))
      End = All.size() - 1;
    if (!Step.Chooses || &E != &lastEdge(Step))
      return;
    if (Begin != SIZE_MAX)
      return fail("a second block is chosen");
    const auto It =
        std::find(State.Open.begin(), State.Open.end(), *Step.Chooses);
    if (It == State.Open.end() || (!IsRestart && (E.Is != Edge::Kind::Begin ||
                                                  It + 1 != State.Open.end())))
      return fail("no such block begins here");
    Begin = All.size() - 1;
    Depth = It - State.Open.begin() + 1;
    R.Region = *It;
    R.Begin = Number;
  }

  const Edge &lastEdge(const ScheduleStep &Step) const {
    const EdgeRef &Last = Step.Path.back();
    return P.Threads[Step.Thread.Thread].Code.Nodes[Last.Node].Out[Last.Edge];
  }

  bool isLock(const Move &M) const { return M.Object >= P.Variables.size(); }

  /// True if \p Later must come behind \p Earlier.
  bool depends(const Happening &Later, const Happening &Earlier,
               bool WithLocks) const {
    if (Later.Thread == Earlier.Thread)
      return true;
    for (const Move &A : Later.Moves)
      for (const Move &B : Earlier.Moves)
        if (conflicts(A, B) && (WithLocks || !isLock(A)))
          return true;
    return false;
  }

  /// Finds the first happening in the block that must come behind one of
  /// another thread that must come behind the begin. SIZE_MAX if there is none.
  size_t findBack(bool WithLocks, std::vector<size_t> &Between) const {
    std::vector<bool> IsBehind(All.size());
    Between.assign(All.size(), SIZE_MAX);
    IsBehind[Begin] = true;
    for (size_t I = Begin + 1; I < All.size(); ++I) {
      const bool IsChosen = All[I].Thread == All[Begin].Thread;
      for (size_t J = Begin; J < I; ++J) {
        if (!IsBehind[J] || !depends(All[I], All[J], WithLocks))
          continue;
        IsBehind[I] = true;
        if (Between[J] != SIZE_MAX)
          Between[I] = Between[J];
      }
      if (IsBehind[I] && !IsChosen && Between[I] == SIZE_MAX)
        Between[I] = I;
      if (IsChosen && I < End && Between[I] != SIZE_MAX)
        return I;
    }
    return SIZE_MAX;
  }

  void look() {
    std::vector<size_t> Between;
    const size_t Back = findBack(true, Between);
    if (Back == SIZE_MAX)
      return;
    R.IsShown = true;
    R.Back = All[Back].Step;
    R.Between = All[Between[Back]].Step;
    R.IsNeeded.assign(S.size(), false);
    std::vector<bool> Needed(All.size());
    Needed[Back] = true;
    for (size_t I = Back + 1; I-- > 0;)
      if (Needed[I]) {
        R.IsNeeded[All[I].Step] = true;
        for (size_t J = 0; J < I; ++J)
          if (depends(All[I], All[J], true))
            Needed[J] = true;
      }
    R.ByLockOrder = findBack(false, Between) == SIZE_MAX;
  }
};

} // namespace

Replayed replay(const Program &P, const KeptValues &K, const Schedule &S) {
  return Interpreter(P, K, S).run();
}

Schedule neededPart(const Schedule &S, const Replayed &R) {
  Schedule Part;
  for (size_t I = 0; I < S.size(); ++I)
    if (R.IsNeeded[I])
      Part.push_back(S[I]);
  return Part;
}

} // namespace atsan::causal
