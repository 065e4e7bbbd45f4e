//===- Words.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Words.h"
#include <algorithm>

namespace atsan::profile {

using model::Edge;
using model::Move;

bool Trails::expand(uint32_t Trail, size_t Most, std::vector<Part> &To) const {
  // From the end to the begin.
  std::vector<uint32_t> Work = {Trail};
  while (!Work.empty()) {
    const uint32_t Now = Work.back();
    Work.pop_back();
    if (!Now)
      continue;
    const Rope &R = All[Now - 1];
    Work.push_back(R.Left);
    if (R.Right)
      Work.push_back(R.Right);
    else
      To.push_back(R.Last);
    if (To.size() > Most)
      return false;
  }
  std::reverse(To.begin(), To.end());
  return true;
}

namespace {

/// Words none of which makes another one superfluous, by their accesses.
class Antichain {
public:
  using Order = bool (*)(const Word &, const Word &);

  /// False if the word is superfluous.
  bool add(const Word &W, Order IsAsGood) {
    std::vector<Word> &Alike = All[W.key()];
    for (const Word &Old : Alike)
      if (IsAsGood(Old, W))
        return false;
    Alike.erase(
        std::remove_if(Alike.begin(), Alike.end(),
                       [&](const Word &Old) { return IsAsGood(W, Old); }),
        Alike.end());
    Alike.push_back(W);
    return true;
  }
  /// Has no other word made it superfluous since it was added?
  bool has(const Word &W) const {
    const auto It = All.find(W.key());
    return It != All.end() && std::any_of(It->second.begin(), It->second.end(),
                                          [&](const Word &Old) {
                                            return Old.Trail == W.Trail &&
                                                   Old.Tokens == W.Tokens;
                                          });
  }
  std::vector<Word> words() const {
    std::vector<Word> Result;
    for (const auto &[Key, Alike] : All)
      Result.insert(Result.end(), Alike.begin(), Alike.end());
    return Result;
  }

private:
  std::map<Word::Key, std::vector<Word>> All;
};

class Finder {
public:
  Finder(const model::Program &P, const Flow &F, bool WithLocks,
         const std::vector<bool> &Matters, Trails &T, check::Limits &Limit)
      : P(P), F(F), WithLocks(WithLocks), Matters(Matters), T(T), Limit(Limit),
        At(F.States.size()), CallsTo(F.States.size()) {}

  std::vector<Word> find() {
    findWithin();
    return wholeThread();
  }

private:
  struct Item {
    uint32_t State;
    Word Is;
  };
  struct CallEdge {
    uint32_t From;
    const FlowEdge *Of;
  };

  const model::Program &P;
  const Flow &F;
  bool WithLocks;
  const std::vector<bool> &Matters; ///< By access.
  Trails &T;
  check::Limits &Limit;
  /// By state: the words from the begin of the context.
  std::vector<Antichain> At;
  std::vector<std::vector<CallEdge>> CallsTo; ///< By the state of their exit.
  std::deque<Item> Work;

  void add(uint32_t State, const Word &W) {
    if (At[State].add(W, isAsGood))
      Work.push_back({State, W});
  }

  void findWithin() {
    std::vector<bool> IsEntry(F.States.size());
    if (F.States.empty())
      return;
    IsEntry[0] = true;
    for (uint32_t S = 0; S < F.States.size(); ++S) {
      for (const uint32_t Entry : F.States[S].Enters)
        IsEntry[Entry] = true;
      for (const FlowEdge &E : F.States[S].Out)
        if (E.Exit != FlowEdge::None)
          CallsTo[E.Exit].push_back({S, &E});
    }
    for (uint32_t S = 0; S < F.States.size(); ++S)
      if (IsEntry[S])
        add(S, {});
    while (!Work.empty() && !Limit.reached()) {
      const Item Now = std::move(Work.front());
      Work.pop_front();
      if (At[Now.State].has(Now.Is))
        goOn(Now);
    }
  }

  void goOn(const Item &Now) {
    for (const FlowEdge &E : F.States[Now.State].Out)
      if (E.Exit == FlowEdge::None)
        pass(Now, E);
      else
        for (const Word &Inner : At[E.Exit].words())
          addJoined(E.To, Now.Is, Inner);
    for (const CallEdge &C : CallsTo[Now.State])
      for (const Word &Outer : At[C.From].words())
        addJoined(C.Of->To, Outer, Now.Is);
  }

  void addJoined(uint32_t State, const Word &A, const Word &B) {
    Word Both;
    if (!join(A, B, Both))
      return;
    Both.Trail = T.join(A.Trail, B.Trail);
    add(State, Both);
  }

  void log(Word &W, const FlowEdge &E, bool IsInStep, bool IsToken) {
    W.Trail = T.append(W.Trail, {E.Of, E.Made, IsInStep, IsToken});
  }

  void pass(const Item &Now, const FlowEdge &E) {
    const FlowState &From = F.States[Now.State];
    Word W = Now.Is;
    switch (E.Of->Is) {
    case Edge::Kind::Read:
    case Edge::Kind::Write:
    case Edge::Kind::Cas:
      return access(Now, E);
    case Edge::Kind::Acquire:
    case Edge::Kind::Release:
      if (WithLocks) {
        log(W, E, false, true);
        W.Tokens.push_back({E.Of->Is == Edge::Kind::Acquire
                                ? Token::Kind::Acquire
                                : Token::Kind::Release,
                            E.Made.Object - model::lockObject(P, 0)});
      }
      break;
    case Edge::Kind::Begin:
    case Edge::Kind::End:
      log(W, E, false, false);
      // Inner regions are part of the outermost one.
      if (From.InRegion != F.States[E.To].InRegion)
        W.cross();
      break;
    case Edge::Kind::Restart:
      log(W, E, false, false);
      W.cross();
      break;
    case Edge::Kind::StepBegin:
      return step(Now, E);
    default:
      break;
    }
    add(E.To, W);
  }

  bool matters(const Move &M) const { return Matters[accessOf(M)]; }
  static Access accessOf(const Move &M) {
    return 2 * M.Object + (M.Is == Move::Kind::Write);
  }

  void access(const Item &Now, const FlowEdge &E) {
    const bool IsAlone = !F.States[Now.State].InRegion;
    for (const bool IsChosen : {false, true}) {
      Word W = Now.Is;
      if (IsChosen && (!matters(E.Made) || W.hasSecond()))
        return;
      if (IsAlone)
        W.cross();
      log(W, E, false, IsChosen);
      if (IsChosen)
        choose(W, accessOf(E.Made));
      if (IsAlone)
        W.cross();
      add(E.To, W);
    }
  }

  static void choose(Word &W, Access A) {
    (W.hasAccess() ? W.Second : W.First) = A;
    W.Tokens.push_back({});
  }

  /// Goes on behind the step on each way through it.
  void step(const Item &Now, const FlowEdge &Begin) {
    std::vector<const FlowEdge *> Path = {&Begin};
    goThrough(Now, Path);
  }

  void goThrough(const Item &Now, std::vector<const FlowEdge *> &Path) {
    if (Path.back()->Of->Is == Edge::Kind::StepEnd)
      return endStep(Now, Path);
    for (const FlowEdge &E : F.States[Path.back()->To].Out) {
      if (WithLocks &&
          (E.Of->Is == Edge::Kind::Acquire || E.Of->Is == Edge::Kind::Release))
        throw model::ModelError(
            E.Of->At, "a lock operation within a step has no profile",
            "use --locks=product or --locks=ignored, or put it before or "
            "behind the step");
      Path.push_back(&E);
      goThrough(Now, Path);
      Path.pop_back();
    }
  }

  void endStep(const Item &Now, const std::vector<const FlowEdge *> &Path) {
    std::vector<Access> Made;
    for (const FlowEdge *E : Path)
      if (E->Made.Is != Move::Kind::Local && matters(E->Made))
        Made.push_back(accessOf(E->Made));
    std::sort(Made.begin(), Made.end());
    Made.erase(std::unique(Made.begin(), Made.end()), Made.end());
    addStep(Now, Path, NoAccess, NoAccess);
    for (size_t I = 0; I < Made.size(); ++I) {
      addStep(Now, Path, Made[I], NoAccess);
      for (size_t J = I + 1; J < Made.size(); ++J)
        addStep(Now, Path, Made[I], Made[J]);
    }
  }

  /// Goes on behind a step in which up to two accesses are chosen.
  void addStep(const Item &Now, const std::vector<const FlowEdge *> &Path,
               Access First, Access Second) {
    const bool IsAlone = !F.States[Now.State].InRegion;
    Word W = Now.Is;
    if ((First != NoAccess && W.hasSecond()) ||
        (Second != NoAccess && W.hasAccess()))
      return;
    if (IsAlone)
      W.cross();
    for (const FlowEdge *E : Path)
      log(W, *E, true, First != NoAccess && E == Path.front());
    if (First != NoAccess)
      choose(W, First);
    if (Second != NoAccess) {
      W.Second = Second;
      W.IsTogether = true;
    }
    if (IsAlone)
      W.cross();
    add(Path.back()->To, W);
  }

  /// The words from the thread's begin.
  std::vector<Word> wholeThread() {
    std::vector<std::vector<uint32_t>> StatesOf(F.Contexts);
    for (uint32_t S = 0; S < F.States.size(); ++S)
      StatesOf[F.States[S].Context].push_back(S);
    std::map<uint32_t, Antichain> Before; // By the first state of a context.
    Antichain Result;
    std::deque<Item> Entries;
    if (!F.States.empty()) {
      Before[0].add({}, isAsGood);
      Entries.push_back({0, {}});
    }
    while (!Entries.empty() && !Limit.reached()) {
      const Item Now = std::move(Entries.front());
      Entries.pop_front();
      for (const uint32_t S : StatesOf[F.States[Now.State].Context])
        for (const Word &Inner : At[S].words()) {
          Word Both;
          if (!join(Now.Is, Inner, Both))
            continue;
          Both.Trail = T.join(Now.Is.Trail, Inner.Trail);
          Both.CrossesBefore = false; // There is nothing before it.
          if (Both.hasAccess())
            Result.add(Both, isAsGoodAtEnd);
          for (const uint32_t Entry : F.States[S].Enters)
            if (Before[Entry].add(Both, isAsGood))
              Entries.push_back({Entry, Both});
        }
    }
    return Result.words();
  }
};

} // namespace

std::vector<Word> findProfiles(const model::Program &P, const Flow &F,
                               bool WithLocks, const std::vector<bool> &Matters,
                               Trails &T, check::Limits &Limit) {
  return Finder(P, F, WithLocks, Matters, T, Limit).find();
}

} // namespace atsan::profile
