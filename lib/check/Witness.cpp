//===- Witness.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Witness.h"
#include <algorithm>
#include <string>
#include <unordered_set>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

/// How many switches between threads are kept of a run; what comes behind them
/// is not known as it was.
static constexpr size_t MaxSwitches = 1 << 20;

void Witness::take(const Event &E) {
  ++Count;
  if (!Recorded.empty() && Recorded.back().Thread == E.Thread &&
      Recorded.back().Last + 1 == Count)
    Recorded.back().Last = Count;
  else if (Recorded.size() < MaxSwitches)
    Recorded.push_back({E.Thread, Count});
  auto Grow = [&](uint64_t Number) {
    if (Number >= Threads.size())
      Threads.resize(Number + 1);
  };
  Grow(E.Thread);
  const bool IsFree = Held.held(E.Thread).empty();
  const HandOvers::Effect Effect = Held.take(E, Count);
  Threads[E.Thread].IsKnown = true;
  if (Effect == HandOvers::Effect::Tells || Effect == HandOvers::Effect::Hears)
    return handOver(E, Effect, IsFree);
  std::vector<Operation> &Own = Threads[E.Thread].Operations;
  const Place Here{E.Thread, uint32_t(Own.size())};
  switch (E.Kind) {
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    if (Effect != HandOvers::Effect::Lock)
      return;
    Own.push_back({Count, E.Address, E.Kind, IsFree});
    Threads[E.Thread].EndsFree = Held.held(E.Thread).empty();
    if (uint32_t &Owner = Owners[E.Address]; isAcquire(E.Kind)) {
      if (Owner)
        Loose.insert(E.Address);
      if (E.Kind == EventKind::Acquire)
        Owner = E.Thread + 1;
    } else if (Owner == E.Thread + 1) {
      Owner = 0;
    }
    return;
  case EventKind::Start:
    Own.push_back({Count, E.Address, E.Kind, IsFree});
    Grow(E.Address);
    if (Thread &Child = Threads[E.Address]; !Child.IsKnown) {
      Child.IsKnown = Child.IsStarted = true;
      Child.Start = Here;
    }
    return;
  case EventKind::Join:
    Own.push_back({Count, E.Address, E.Kind, IsFree});
    Grow(E.Address);
    return;
  case EventKind::BarrierArrive: {
    const auto [Where, IsNew] = Gathering.emplace(E.Address, Rounds.size());
    const uint64_t Round = Where->second;
    if (IsNew)
      Rounds.emplace_back();
    Rounds[Round].push_back(Here);
    if (Rounds[Round].size() == E.Size)
      Gathering.erase(Where);
    Own.push_back({Count, Round, E.Kind, IsFree});
    Threads[E.Thread].Round = Round;
    Threads[E.Thread].IsInRound = true;
    return;
  }
  case EventKind::BarrierLeave: {
    Thread &T = Threads[E.Thread];
    if (!T.IsInRound)
      return;
    T.IsInRound = false;
    // Threads that arrive from now on are of the next round.
    const auto Where = Gathering.find(E.Address);
    if (Where != Gathering.end() && Where->second == T.Round)
      Gathering.erase(Where);
    Own.push_back({Count, T.Round, E.Kind, IsFree});
    return;
  }
  default:
    return;
  }
}

/// What tells others may have to wait itself: a signal, for those whom it
/// wakes. So all such operations leave a round.
void Witness::handOver(const Event &E, HandOvers::Effect Does, bool IsFree) {
  const auto Round = uint64_t(Rounds.size());
  Rounds.emplace_back();
  Threads[E.Thread].Operations.push_back(
      {Count, Round, EventKind::BarrierLeave, IsFree});
  if (Does == HandOvers::Effect::Tells)
    return;
  for (const HandOvers::Place &P : Held.needs())
    Rounds[Round].push_back(placeOf(P));
  if (const HandOvers::Place *Wait = Held.began()) {
    const Place Signal = Rounds[Round].front();
    const Operation &Its = Threads[Signal.Thread].Operations[Signal.Operation];
    Rounds[Its.Operand].push_back(placeOf(*Wait));
  }
}

/// The thread's operation with this event. All of those that others need are
/// operations, and none is before its own event.
Witness::Place Witness::placeOf(const HandOvers::Place &P) const {
  return {P.Thread, upTo(P.Thread, P.Number) - 1};
}

/// How many operations a thread has up to an event.
uint32_t Witness::upTo(uint32_t Of, uint64_t Number) const {
  const std::vector<Operation> &All = Threads[Of].Operations;
  return uint32_t(std::upper_bound(All.begin(), All.end(), Number,
                                   [](uint64_t N, const Operation &O) {
                                     return N < O.Number;
                                   }) -
                  All.begin());
}

bool Witness::isFree(uint32_t Of, uint32_t Length) const {
  const Thread &T = Threads[Of];
  return Length < T.Operations.size() ? T.Operations[Length].IsFree
                                      : T.EndsFree;
}

Witness::Part Witness::empty() const {
  return {std::vector<uint32_t>(Threads.size()),
          std::vector<uint64_t>(Threads.size())};
}

/// Lengthens the part until it has what is needed (so many operations of a
/// thread) and what start, join and barriers put before that, and each thread
/// in it ends without a lock.
void Witness::close(Part &P, std::vector<Place> Needed) const {
  std::vector<bool> Begun(Threads.size());
  while (!Needed.empty()) {
    auto [Of, Length] = Needed.back();
    Needed.pop_back();
    const Thread &T = Threads[Of];
    if (T.IsStarted && !Begun[Of])
      Needed.push_back({T.Start.Thread, T.Start.Operation + 1});
    Begun[Of] = true;
    while (Length < T.Operations.size() && !isFree(Of, Length))
      ++Length;
    for (uint32_t &I = P.Length[Of]; I < Length; ++I) {
      const Operation &O = T.Operations[I];
      if (O.What == EventKind::Join) {
        const auto Other = uint32_t(O.Operand);
        P.JoinedAt[Other] = std::max(P.JoinedAt[Other], O.Number);
        Needed.push_back({Other, upTo(Other, O.Number)});
      } else if (O.What == EventKind::BarrierLeave) {
        for (const Place &Arrival : Rounds[O.Operand])
          Needed.push_back({Arrival.Thread, Arrival.Operation + 1});
      }
    }
  }
}

static uint64_t firstOf(const Witness::Visit &V) {
  if (!V.Entry.Number || !V.Exit.Number)
    return std::max(V.Entry.Number, V.Exit.Number);
  return std::min(V.Entry.Number, V.Exit.Number);
}
static uint64_t lastOf(const Witness::Visit &V) {
  return std::max(V.Entry.Number, V.Exit.Number);
}

/// What can run as it did before the cycle begins: up to where the threads on
/// it were without a lock, as far as that has nothing of the cycle in it.
Witness::Part Witness::begin(const std::vector<Visit> &Cycle) const {
  std::vector<Place> Begins;
  for (const Visit &V : Cycle) {
    uint32_t I = upTo(V.Thread, firstOf(V));
    while (I > 0 && !isFree(V.Thread, I))
      --I;
    Begins.push_back({V.Thread, I});
  }
  Part Result = empty();
  for (const Place &Begin : Begins) {
    Part P = Result;
    close(P, {Begin});
    bool Fits = true;
    for (size_t I = 0; I < Cycle.size(); ++I)
      Fits &= P.Length[Cycle[I].Thread] <= Begins[I].Operation &&
              P.JoinedAt[Cycle[I].Thread] < firstOf(Cycle[I]);
    if (Fits)
      Result = std::move(P);
  }
  return Result;
}

/// The event up to which the run can go on as it was recorded: before it, no
/// thread of the cycle has come further than to where it was without a lock.
/// That keeps what the threads read, as far as can be. 0: it is not known.
uint64_t Witness::recordedUpTo(const std::vector<Visit> &Cycle) const {
  uint64_t First = ~uint64_t(0);
  for (const Visit &V : Cycle) {
    First = std::min(First, firstOf(V));
    for (uint32_t I = upTo(V.Thread, firstOf(V)); I > 0 && !isFree(V.Thread, I);
         --I)
      First = std::min(First, Threads[V.Thread].Operations[I - 1].Number);
  }
  return Recorded.empty() || First > Recorded.back().Last ? 0 : First - 1;
}

/// Schedules the operations of the part in the order of the run.
void Witness::run(const Part &P, std::vector<Stretch> &Schedule) const {
  std::vector<std::pair<uint64_t, Place>> Order;
  for (uint32_t T = 0; T < P.Length.size(); ++T)
    for (uint32_t I = 0; I < P.Length[T]; ++I)
      Order.push_back({Threads[T].Operations[I].Number, {T, I}});
  std::sort(Order.begin(), Order.end(),
            [](const auto &A, const auto &B) { return A.first < B.first; });
  for (const auto &[Number, Where] : Order) {
    const Operation &O = Threads[Where.Thread].Operations[Where.Operation];
    if (O.What == EventKind::Join)
      Schedule.push_back({uint32_t(O.Operand), Number});
    Schedule.push_back({Where.Thread, Number});
  }
}

namespace {
/// An access of a visit.
struct Mark {
  uint64_t Number;
  bool Enters, Leaves;
};
/// The accesses of a visit in the order of its thread; one if both are the
/// same.
std::vector<Mark> marksOf(const Witness::Visit &V) {
  if (V.Entry.Number == V.Exit.Number)
    return {{V.Entry.Number, true, true}};
  std::vector<Mark> Marks;
  if (V.Entry.Number)
    Marks.push_back({V.Entry.Number, true, false});
  if (V.Exit.Number)
    Marks.push_back({V.Exit.Number, false, true});
  if (Marks.size() == 2 && V.Exit.Number < V.Entry.Number)
    std::swap(Marks[0], Marks[1]);
  return Marks;
}
} // namespace

/// Searches all ways to go on from the end of begin().
class Witness::Search {
public:
  /// \p UpTo: the run goes up to that event as it was recorded; 0: only what
  /// the cycle needs of it happens.
  Search(const Witness &W, const std::vector<Visit> &Cycle, bool OneByOne,
         uint64_t UpTo)
      : W(W), Cycle(Cycle), OneByOne(OneByOne), UpTo(UpTo),
        From(UpTo ? W.empty() : W.begin(Cycle)), To(W.empty()),
        VisitOf(W.Threads.size(), None) {
    std::vector<Place> Goals;
    for (uint32_t T = 0; UpTo && T < W.Threads.size(); ++T) {
      From.Length[T] = W.upTo(T, UpTo);
      // A thread that holds a lock at that event must be able to give it back.
      if (!W.isFree(T, From.Length[T]))
        Goals.push_back({T, From.Length[T]});
    }
    for (uint32_t V = 0; V < Cycle.size(); ++V) {
      Marks.push_back(marksOf(Cycle[V]));
      VisitOf[Cycle[V].Thread] = V;
      Goals.push_back(
          {Cycle[V].Thread, W.upTo(Cycle[V].Thread, lastOf(Cycle[V]))});
    }
    W.close(To, Goals);
    for (uint32_t T = 0; T < W.Threads.size(); ++T)
      if (VisitOf[T] != None || From.Length[T] < To.Length[T])
        Active.push_back(T);
  }

  Answer run(std::vector<Stretch> &Schedule, uint64_t &States) {
    if (UpTo)
      W.runRecorded(UpTo, Schedule);
    else
      W.run(From, Schedule);
    Nodes.push_back({From.Length, std::vector<uint8_t>(Cycle.size()), 0, {}});
    std::vector<uint32_t> Pending(1, 0);
    while (!Pending.empty()) {
      const uint32_t Number = Pending.back();
      Pending.pop_back();
      goOn(Nodes[Number]);
      const State &Here = Nodes[Number];
      if (!Seen.insert(key(Here)).second)
        continue;
      ++States;
      bool Done = true;
      for (uint32_t V = 0; V < Cycle.size(); ++V)
        Done &= Here.Marked[V] == Marks[V].size();
      if (Done) {
        tell(Number, Schedule);
        return Answer::Found;
      }
      if (Seen.size() > W.MaxStates)
        return Answer::Unknown;
      for (uint32_t T : Active) {
        if (!canMove(Nodes[Number], T))
          continue;
        State Next = {Nodes[Number].Length, Nodes[Number].Marked, Number, {}};
        move(Next, T);
        Pending.push_back(uint32_t(Nodes.size()));
        Nodes.push_back(std::move(Next));
      }
    }
    return Answer::None;
  }

private:
  static constexpr uint32_t None = ~0u;
  struct State {
    std::vector<uint32_t> Length;
    std::vector<uint8_t> Marked; ///< How many accesses of each visit.
    uint32_t Before;
    std::vector<Stretch> Moves;
  };

  /// The access that is the thread's next step; null: it is an operation.
  const Mark *nextMark(const State &S, uint32_t T) const {
    const uint32_t V = VisitOf[T];
    if (V == None || S.Marked[V] == Marks[V].size())
      return nullptr;
    const Mark *M = &Marks[V][S.Marked[V]];
    const std::vector<Operation> &All = W.Threads[T].Operations;
    const uint32_t I = S.Length[T];
    return I < All.size() && All[I].Number <= M->Number ? nullptr : M;
  }

  /// Have all accesses of the visit up to the event happened?
  bool isMarked(const State &S, uint32_t V, uint64_t UpTo) const {
    const size_t Next = S.Marked[V];
    return Next == Marks[V].size() || Marks[V][Next].Number > UpTo;
  }

  bool mayBeMarked(const State &S, uint32_t V, const Mark &M) const {
    const uint32_t Before = (V + uint32_t(Cycle.size()) - 1) % Cycle.size();
    if (M.Enters && Cycle[Before].Exit.Number &&
        !isMarked(S, Before, Cycle[Before].Exit.Number))
      return false;
    if (!OneByOne || (!V && !M.Enters))
      return true;
    return isMarked(S, Before,
                    Before ? lastOf(Cycle[Before]) : Cycle[Before].Exit.Number);
  }

  /// The last operation of the thread on the lock; Release: it does not hold
  /// it.
  EventKind holds(const State &S, uint32_t T, uint64_t Lock) const {
    const std::vector<Operation> &All = W.Threads[T].Operations;
    for (uint32_t I = S.Length[T]; I-- > 0;) {
      if (isOfLock(All[I].What) && All[I].Operand == Lock)
        return All[I].What;
      if (All[I].IsFree)
        break;
    }
    return EventKind::Release;
  }

  bool isExcluded(const State &S, uint32_t T, const Operation &O) const {
    if (W.Loose.count(O.Operand))
      return false;
    for (uint32_t Other : Active) {
      if (Other == T)
        continue;
      const EventKind How = holds(S, Other, O.Operand);
      if (How == EventKind::Acquire ||
          (How == EventKind::AcquireShared && O.What == EventKind::Acquire))
        return true;
    }
    return false;
  }

  bool canMove(const State &S, uint32_t T) const {
    const Thread &Of = W.Threads[T];
    if (Of.IsStarted && S.Length[Of.Start.Thread] <= Of.Start.Operation)
      return false;
    if (const Mark *M = nextMark(S, T))
      return mayBeMarked(S, VisitOf[T], *M);
    if (S.Length[T] >= To.Length[T])
      return false;
    const Operation &O = Of.Operations[S.Length[T]];
    switch (O.What) {
    case EventKind::Acquire:
    case EventKind::AcquireShared:
      return !isExcluded(S, T, O);
    case EventKind::Join: {
      const auto Other = uint32_t(O.Operand);
      const Thread &Ended = W.Threads[Other];
      return S.Length[Other] >= W.upTo(Other, O.Number) &&
             (VisitOf[Other] == None ||
              isMarked(S, VisitOf[Other], O.Number)) &&
             (!Ended.IsStarted ||
              S.Length[Ended.Start.Thread] > Ended.Start.Operation);
    }
    case EventKind::BarrierLeave:
      return std::all_of(
          W.Rounds[O.Operand].begin(), W.Rounds[O.Operand].end(),
          [&](const Place &P) { return S.Length[P.Thread] > P.Operation; });
    default:
      return true;
    }
  }

  void move(State &S, uint32_t T) const {
    if (const Mark *M = nextMark(S, T)) {
      ++S.Marked[VisitOf[T]];
      S.Moves.push_back({T, M->Number});
      return;
    }
    const Operation &O = W.Threads[T].Operations[S.Length[T]++];
    if (O.What == EventKind::Join)
      S.Moves.push_back({uint32_t(O.Operand), O.Number});
    S.Moves.push_back({T, O.Number});
  }

  /// Does all steps that only give others more choice.
  void goOn(State &S) const {
    for (bool Again = true; Again;) {
      Again = false;
      for (uint32_t T : Active)
        while (canMove(S, T) && (nextMark(S, T) || !isAcquire(next(S, T)))) {
          move(S, T);
          Again = true;
        }
    }
  }
  EventKind next(const State &S, uint32_t T) const {
    return W.Threads[T].Operations[S.Length[T]].What;
  }

  std::string key(const State &S) const {
    std::string Key;
    for (uint32_t T : Active)
      Key.append(reinterpret_cast<const char *>(&S.Length[T]),
                 sizeof S.Length[T]);
    Key.append(S.Marked.begin(), S.Marked.end());
    return Key;
  }

  void tell(uint32_t Last, std::vector<Stretch> &Schedule) const {
    std::vector<uint32_t> Way(1, Last);
    while (Way.back())
      Way.push_back(Nodes[Way.back()].Before);
    for (; !Way.empty(); Way.pop_back())
      Schedule.insert(Schedule.end(), Nodes[Way.back()].Moves.begin(),
                      Nodes[Way.back()].Moves.end());
  }

  const Witness &W;
  const std::vector<Visit> &Cycle;
  const bool OneByOne;
  const uint64_t UpTo;
  Part From;
  Part To;
  std::vector<uint32_t> VisitOf; ///< The visit of each thread, or None.
  std::vector<std::vector<Mark>> Marks;
  std::vector<uint32_t> Active; ///< The threads that may move.
  std::vector<State> Nodes;
  std::unordered_set<std::string> Seen;
};

void Witness::runRecorded(uint64_t UpTo, std::vector<Stretch> &Schedule) const {
  for (const Stretch &S : Recorded) {
    Schedule.push_back({S.Thread, std::min(S.Last, UpTo)});
    if (S.Last >= UpTo)
      return;
  }
}

Witness::Answer Witness::find(const std::vector<Visit> &Cycle, bool OneByOne,
                              std::vector<Stretch> &Schedule) {
  std::vector<Stretch> All;
  Answer Result = Answer::None;
  if (const uint64_t UpTo = recordedUpTo(Cycle))
    Result = Search(*this, Cycle, OneByOne, UpTo).run(All, States);
  if (Result != Answer::Found) {
    All.clear();
    Result = Search(*this, Cycle, OneByOne, 0).run(All, States);
  }
  if (Result != Answer::Found)
    return Result;
  // Stretches of a thread that follow one another become one.
  Schedule.clear();
  std::vector<uint64_t> Reached(Threads.size());
  for (const Stretch &S : All) {
    if (S.Last <= Reached[S.Thread])
      continue;
    Reached[S.Thread] = S.Last;
    if (!Schedule.empty() && Schedule.back().Thread == S.Thread)
      Schedule.back() = S;
    else
      Schedule.push_back(S);
  }
  return Result;
}
