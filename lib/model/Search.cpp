//===- Search.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Search.h"
#include "lib/model/StateTable.h"
#include "lib/model/Symmetry.h"
#include <algorithm>
#include <numeric>
#include <utility>

using namespace atsan::model;
namespace check = atsan::check;

namespace {

/// One search. The reduced one decides; the full one, up to the depth of what
/// the reduced one found, has the shortest run.
class Search {
public:
  Search(const Machine &M, const Sharing &Shared, const SearchOptions &O,
         check::Limits &Limit)
      : M(M), Shared(Shared), O(O), Limit(Limit), States(M.fields()),
        Alike(M, O.UsesSymmetry), Now(M.fields().size()) {}

  /// \p MaxDepth: how many steps runs may have. Returns false if limits kept it
  /// from looking at all of them.
  bool run(size_t MaxDepth, size_t MaxStates);

  bool isBad() const { return IsBad; }
  size_t depth() const { return Depth; }
  size_t size() const { return States.size(); }
  size_t bytes() const { return States.bytes(); }
  const Contents &reached() const { return Found.Reached; }
  const Edge *tooMany() const { return Found.TooMany; }
  void tell(SearchResult &To) const;

private:
  using Threads = uint32_t; // A set.
  struct Candidate {
    Threads Of;
    unsigned Count;
  };

  bool start();
  bool expand(uint32_t Number);
  bool take(unsigned Thread, uint32_t Number, bool &GoesForward);
  bool addAll(uint32_t Parent, bool &GoesForward);
  Threads persistent(unsigned Seed, const std::vector<Footprint> &Next,
                     const std::vector<Footprint> &Future) const;
  void candidates();

  const Machine &M;
  const Sharing &Shared;
  const SearchOptions &O;
  check::Limits &Limit;
  StateTable States;
  Symmetry Alike;
  std::vector<Value> Now;
  Outcomes Found;
  std::vector<Candidate> Sets;
  std::vector<Footprint> NextOf, FutureOf;
  bool IsBad = false;
  uint32_t BadParent = StateTable::None; // None: at the begin.
  size_t Depth = 0;                      // The level that is expanded.
};

} // namespace

bool Search::addAll(uint32_t Parent, bool &GoesForward) {
  States.forget();
  for (size_t I = 0; I < Found.size(); ++I) {
    Outcomes::One &One = Found[I];
    if (One.IsViolation || One.Error != Fault::None) {
      IsBad = true;
      BadParent = Parent;
      return false;
    }
    Alike.normalize(One.State.data());
    States.prepare(One.State.data());
  }
  for (size_t I = 0; I < Found.size(); ++I) {
    const uint32_t Number = States.addPrepared(I, Parent);
    GoesForward = GoesForward || Parent == StateTable::None || Number > Parent;
  }
  return true;
}

bool Search::start() {
  M.begin(Found);
  bool GoesForward = false;
  return addAll(StateTable::None, GoesForward);
}

// Threads whose next steps nobody outside of the set can ever disturb: with
// each thread those whose future conflicts with its next step.
Search::Threads Search::persistent(unsigned Seed,
                                   const std::vector<Footprint> &Next,
                                   const std::vector<Footprint> &Future) const {
  Threads Set = 1u << Seed, Done = 0;
  while (Set != Done) {
    const unsigned T = __builtin_ctz(Set & ~Done);
    Done |= 1u << T;
    for (unsigned U = 0; U < M.threads(); ++U)
      if (!(Set >> U & 1) && Next[T].conflicts(Future[U]))
        Set |= 1u << U;
  }
  return Set;
}

// The sets of threads of which one is enough, smaller ones first.
void Search::candidates() {
  NextOf.resize(M.threads());
  FutureOf.resize(M.threads());
  Threads Running = 0;
  for (unsigned T = 0; T < M.threads(); ++T) {
    const uint32_t N = M.node(Now.data(), T);
    const bool Runs = N != Machine::None;
    NextOf[T] = Runs ? Shared.next(M.automaton(T), N) : Footprint();
    FutureOf[T] = Runs ? Shared.future(M.automaton(T), N) : Footprint();
    Running |= Runs && !M.hasEnded(T, N) ? 1u << T : 0;
  }
  Sets.clear();
  for (unsigned T = 0; T < M.threads() && O.ReducesOrder; ++T)
    if (Running >> T & 1) {
      const Threads Set = persistent(T, NextOf, FutureOf) & Running;
      if (Set != Running)
        Sets.push_back({Set, unsigned(__builtin_popcount(Set))});
    }
  std::sort(Sets.begin(), Sets.end(),
            [](const Candidate &A, const Candidate &B) {
              return A.Count != B.Count ? A.Count < B.Count : A.Of < B.Of;
            });
  Sets.push_back({Running, unsigned(__builtin_popcount(Running))});
}

bool Search::take(unsigned Thread, uint32_t Number, bool &GoesForward) {
  M.step(Now.data(), Thread, Found);
  return addAll(Number, GoesForward);
}

// A set is enough if one of its steps leads to a state that is not expanded
// yet: along such steps nobody is put off for ever (the proviso for cycles in
// breadth first search of Bosnacki and Holzmann, SPIN'05).
bool Search::expand(uint32_t Number) {
  States.begin(Number, Now.data());
  candidates();
  Threads Done = 0;
  for (const Candidate &C : Sets) {
    bool GoesForward = false;
    for (unsigned T = 0; T < M.threads(); ++T)
      if ((C.Of & ~Done) >> T & 1)
        if (!take(T, Number, GoesForward))
          return false;
    Done |= C.Of;
    if (GoesForward)
      return true;
  }
  return true;
}

bool Search::run(size_t MaxDepth, size_t MaxStates) {
  if (!start())
    return true;
  size_t LevelEnd = States.size();
  for (uint32_t N = 0; N < States.size(); ++N) {
    if (N == LevelEnd) {
      ++Depth;
      LevelEnd = States.size();
    }
    if (O.EndsAtRegion && Found.Reached.Regions)
      return true;
    if (Depth >= MaxDepth || !expand(N))
      return true;
    if (Limit.reached() || States.size() >= MaxStates)
      return false;
  }
  return true;
}

namespace {

// Runs again along the states that were found. In each of them threads that are
// alike are sorted, so that they change places from one to the next.
class Teller {
public:
  Teller(const Machine &M, const StateTable &States, const Symmetry &Alike,
         SearchResult &To)
      : M(M), States(States), Alike(Alike), To(To), Wanted(M.fields().size()),
        NameOf(M.threads()) {
    std::iota(NameOf.begin(), NameOf.end(), 0);
    All.WantsLogs = true;
  }

  void tell(const std::vector<uint32_t> &Path) {
    To.Steps = Path.size();
    M.begin(All);
    if (Path.empty())
      return end();
    takeStep(Path[0]);
    HasBegun = true;
    for (size_t At = 1; At < Path.size(); ++At)
      step([&] { return takeStep(Path[At]); });
    step([&] {
      end();
      return To.Error != Fault::None || WasViolated;
    });
  }

private:
  const Machine &M;
  const StateTable &States;
  const Symmetry &Alike;
  SearchResult &To;
  Outcomes All;
  std::vector<Value> Wanted;
  std::vector<unsigned> NameOf; ///< By the number in the last state.
  bool HasBegun = false;        ///< Do all threads stand before steps?
  bool WasViolated = false;

  static bool isEnd(const Outcomes::One &O) {
    return O.IsViolation || O.Error != Fault::None;
  }

  /// Has each thread make a step from the last state until one is the right
  /// one.
  template <typename Function> void step(Function IsRight) {
    const std::vector<Value> From = Wanted;
    for (unsigned T = 0; T < M.threads(); ++T) {
      M.step(From.data(), T, All);
      if (IsRight())
        return;
    }
  }

  void log(const Outcomes::One &O) {
    bool BeginsStep = HasBegun;
    for (Action A : O.Log) {
      A.Thread = NameOf[A.Thread];
      A.BeginsStep = std::exchange(BeginsStep, false);
      To.Run.push_back(A);
    }
  }

  bool takeStep(uint32_t State) {
    States.get(State, Wanted.data());
    std::vector<unsigned> New(M.threads());
    for (size_t I = 0; I < All.size(); ++I) {
      if (isEnd(All[I]))
        continue;
      std::iota(New.begin(), New.end(), 0);
      Alike.normalize(All[I].State.data(), &New);
      if (All[I].State != Wanted)
        continue;
      log(All[I]);
      const std::vector<unsigned> Old = NameOf;
      for (unsigned T = 0; T < M.threads(); ++T)
        NameOf[New[T]] = Old[T];
      return true;
    }
    return false;
  }

  void end() {
    for (size_t I = 0; I < All.size(); ++I)
      if (isEnd(All[I])) {
        WasViolated = All[I].IsViolation;
        To.Error = WasViolated ? Fault::None : All[I].Error;
        return log(All[I]);
      }
  }
};

} // namespace

void Search::tell(SearchResult &To) const {
  std::vector<uint32_t> Path;
  for (uint32_t N = BadParent; N != StateTable::None; N = States.parent(N))
    Path.push_back(N);
  std::reverse(Path.begin(), Path.end());
  Teller(M, States, Alike, To).tell(Path);
}

SearchResult atsan::model::search(const Program &P, const Sharing &Shared,
                                  const Property &Asked,
                                  const SearchOptions &O) {
  const Machine M(P, Shared, Asked);
  check::Options Given;
  Given.MaxMemoryBytes = O.MaxMemoryBytes;
  Given.MaxSeconds = O.MaxSeconds;
  check::Limits Limit(Given);
  SearchResult Result;

  // States are numbered with 32 bits, and a step has at most 2^20 outcomes.
  constexpr size_t MostStates = UINT32_MAX - (size_t(1) << 21);
  const size_t MaxStates = std::min(MostStates, O.MaxStates);
  Search Reduced(M, Shared, O, Limit);
  const bool IsWhole = Reduced.run(SIZE_MAX, MaxStates);
  Result.States = Reduced.size();
  Result.Bytes = Reduced.bytes();
  Result.Reached = Reduced.reached();
  if (!Reduced.isBad()) {
    if (!IsWhole)
      Result.GaveUp = Limit.why().empty()
                          ? "there are more than 4 billion states; make the "
                            "model smaller"
                          : Limit.why();
    else if (const Edge *E = Reduced.tooMany())
      Result.GaveUp = "a choice in line " + std::to_string(E->At.Line) +
                      " leaves more than 65536 ways to go on; make the model "
                      "choose from fewer values";
    return Result;
  }
  SearchOptions Whole = O;
  Whole.ReducesOrder = false;
  // To know the shortest run is worth as much again, and not more.
  constexpr size_t FewStates = 4000000;
  Search Full(M, Shared, Whole, Limit);
  // What the reduced search found has one step more than its depth.
  Result.IsShortest =
      !O.ReducesOrder ||
      (Full.run(Reduced.depth(), std::max(FewStates, Reduced.size())) &&
       !Full.tooMany());
  (Full.isBad() ? Full : Reduced).tell(Result);
  return Result;
}

namespace {
/// Holds in all runs.
struct Anything : Property {
  std::vector<unsigned> widths() const override { return {}; }
};
} // namespace

bool atsan::model::comesToNoRegion(const Program &P) {
  SearchOptions O;
  O.MaxStates = 100000;
  O.EndsAtRegion = true;
  try {
    const SearchResult R = search(P, Sharing(P), Anything(), O);
    return R.isProved() && !R.Reached.Regions;
  } catch (const ModelError &) {
    return false;
  }
}
