//===- Replay.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Replay.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

bool Replay::Locks::take(const Event &E) {
  Lock &L = All[E.Address];
  const bool IsOthers = L.Depth && L.Owner != E.Thread;
  switch (E.Kind) {
  case EventKind::Acquire:
    if (IsOthers || L.Readers.size() > L.Readers.count(E.Thread))
      return false;
    L.Owner = E.Thread;
    ++L.Depth;
    return true;
  case EventKind::AcquireShared:
    if (IsOthers)
      return false;
    ++L.Readers[E.Thread];
    return true;
  case EventKind::Release:
    if (L.Depth && !IsOthers)
      --L.Depth;
    return true;
  default:
    if (const auto I = L.Readers.find(E.Thread);
        I != L.Readers.end() && !--I->second)
      L.Readers.erase(I);
    return true;
  }
}

void Replay::take(const Event &E) {
  ++Count;
  const bool NamesThread =
      E.Kind == EventKind::Start || E.Kind == EventKind::Join;
  const uint64_t Most = NamesThread ? std::max<uint64_t>(E.Address, E.Thread)
                                    : uint64_t(E.Thread);
  if (Most >= Threads.size())
    Threads.resize(Most + 1);
  Thread &T = Threads[E.Thread];
  if (!T.FirstEvent)
    T.FirstEvent = Count;
  T.LastEvent = Count;
  const check::Step Does = Parts.take(E);
  const bool IsAccess = isAccess(E.Kind);
  if (!T.FirstTransaction &&
      (IsAccess ? E.Size != 0 : NamesThread || Does == check::Step::Begin))
    T.FirstTransaction = Count;
  const bool IsInRegion = Parts.inRegion(E.Thread);
  if (Does == check::Step::End || (IsInRegion && Does != check::Step::Inside))
    T.Boundaries.push_back({Count, IsInRegion});
  if (IsAccess)
    return;
  Step New{{Count, E}, 0, {}};
  const HandOvers::Effect Effect = Given.take(E, Count);
  if (Effect == HandOvers::Effect::Hears) {
    New.After = Given.needs();
    if (const HandOvers::Place *Wait = Given.began())
      stepOf(New.After.front()).After.push_back(*Wait);
    T.Steps.push_back(std::move(New));
    return;
  }
  Thread *Other = NamesThread ? &Threads[E.Address] : nullptr;
  if (E.Kind == EventKind::Start && !Other->FirstEvent && !Other->StartedAt) {
    Other->StartedAt = Count;
    Other->Starter = E.Thread;
  } else if (E.Kind == EventKind::Join) {
    New.Detail = Other->LastEvent;
  } else if (E.Kind == EventKind::BarrierArrive) {
    auto [Last, IsFirst] = Latest.emplace(E.Address, Rounds.size());
    if (IsFirst || Rounds[Last->second].IsOver) {
      Last->second = Rounds.size();
      Rounds.emplace_back();
    }
    Round &R = Rounds[Last->second];
    R.IsOver = ++R.Arrivals == E.Size;
    T.Round = New.Detail = Last->second;
  } else if (E.Kind == EventKind::BarrierLeave) {
    New.Detail = T.Round;
    if (T.Round < Rounds.size())
      Rounds[T.Round].IsOver = true;
    T.Round = ~uint64_t(0);
  } else if (isOfLock(E.Kind) && !Observed.take(E)) {
    Loose.insert(E.Address);
  }
  switch (E.Kind) {
  case EventKind::Pointer:
  case EventKind::RegionBegin:
  case EventKind::RegionEnd:
  case EventKind::Restart:
  case EventKind::End:
  case EventKind::Woken:
  case EventKind::HappensAfter:
    return;
  default:
    T.Steps.push_back(New);
  }
}

/// Are the two events of one transaction?
Replay::Step &Replay::stepOf(const HandOvers::Place &P) {
  std::vector<Step> &All = Threads[P.Thread].Steps;
  return *std::find_if(All.rbegin(), All.rend(),
                       [&](const Step &S) { return S.Is.Number == P.Number; });
}

bool Replay::areOne(uint32_t Of, uint64_t First, uint64_t Later) const {
  const auto &All = Threads[Of].Boundaries;
  const auto Next =
      std::upper_bound(All.begin(), All.end(), std::make_pair(First, true));
  return Next != All.begin() && std::prev(Next)->second &&
         (Next == All.end() || Next->first > Later);
}

/// The replay of one schedule.
class Replay::Run {
public:
  Run(const Replay &R, const std::vector<Witness::Visit> &Cycle)
      : R(R), Cycle(Cycle), At(R.Threads.size()), Reached(R.Threads.size()),
        Arrived(R.Rounds.size()), Followers(Cycle.size()) {
    for (const Witness::Visit &V : Cycle)
      for (uint64_t Number : {V.Entry.Number, V.Exit.Number})
        if (Number)
          Marks.insert({V.Thread, Number});
  }

  std::string run(const Stretch &S) {
    if (S.Thread >= R.Threads.size())
      return "has an unknown thread";
    const Thread &T = R.Threads[S.Thread];
    if (S.Last <= Reached[S.Thread])
      return std::string();
    if ((T.FirstEvent && S.Last >= T.FirstEvent) && T.StartedAt &&
        Reached[T.Starter] < T.StartedAt)
      return "runs a thread that is not started";
    size_t &I = At[S.Thread];
    auto Mark = Marks.upper_bound({S.Thread, Reached[S.Thread]});
    for (;;) {
      const uint64_t Next =
          I < T.Steps.size() ? T.Steps[I].Is.Number : ~uint64_t(0);
      if (Mark != Marks.end() && Mark->first == S.Thread &&
          Mark->second <= S.Last && (Mark->second < Next)) {
        Reached[S.Thread] = Mark->second;
        happens(*Mark++);
        continue;
      }
      if (Next > S.Last)
        break;
      // Other threads see what the step did when it is done.
      const std::string Wrong = step(S.Thread, T.Steps[I++]);
      if (!Wrong.empty())
        return Wrong + " (event " + std::to_string(Next) + ")";
      Reached[S.Thread] = Next;
    }
    Reached[S.Thread] = S.Last;
    return std::string();
  }

  std::string wrongInCycle() const {
    const size_t N = Cycle.size();
    if (N < 2)
      return "has no cycle";
    for (size_t I = 0; I < N; ++I) {
      const Witness::Visit &From = Cycle[I], &To = Cycle[(I + 1) % N];
      if (From.Entry.Number > From.Exit.Number && From.Exit.Number &&
          !R.areOne(From.Thread, From.Exit.Number, From.Entry.Number))
        return "leaves a transaction and enters another";
      const bool IsConflict = From.Exit.Number && To.Entry.Number;
      if (!(IsConflict ? conflict(From.Exit, To.Entry) : Followed.count(I)))
        return "lacks step " + std::to_string(I + 1) + " of the cycle";
    }
    return std::string();
  }

private:
  using Place = std::pair<uint32_t, uint64_t>; ///< Thread and event.

  std::string step(uint32_t Of, const Step &Its) {
    const Event &E = Its.Is.What;
    for (const HandOvers::Place &P : Its.After)
      if (Reached[P.Thread] < P.Number)
        return "goes on before it was let";
    if (!Its.After.empty())
      return std::string();
    switch (E.Kind) {
    case EventKind::Acquire:
    case EventKind::AcquireShared:
    case EventKind::Release:
    case EventKind::ReleaseShared:
      if (!R.Loose.count(E.Address) && !Held.take(E))
        return "acquires what another thread holds";
      break;
    case EventKind::Start:
      for (std::vector<bool> &F : Followers)
        if (!F.empty() && F[Of])
          F[E.Address] = true;
      break;
    case EventKind::Join: {
      const Thread &Ended = R.Threads[E.Address];
      if (Reached[E.Address] < Its.Detail ||
          (Ended.StartedAt && Ended.StartedAt < Its.Is.Number &&
           Reached[Ended.Starter] < Ended.StartedAt))
        return "joins a thread that has not ended";
      const bool IsEdge =
          Ended.FirstTransaction && Ended.FirstTransaction <= Its.Detail;
      for (std::vector<bool> &F : Followers)
        if (!F.empty() && IsEdge && F[E.Address])
          F[Of] = true;
      break;
    }
    case EventKind::BarrierArrive:
      ++Arrived[Its.Detail];
      break;
    case EventKind::BarrierLeave:
      if (Its.Detail < Arrived.size() &&
          Arrived[Its.Detail] < R.Rounds[Its.Detail].Arrivals)
        return "leaves a barrier before all are there";
      break;
    case EventKind::Birth:
    case EventKind::Death:
      // Nobody asks for those before the first mark, which are most of them.
      if (!Times.empty())
        Lives.push_back({++Clock, E});
      break;
    default:
      break;
    }
    return std::string();
  }

  void happens(const Place &Mark) {
    Times[Mark] = ++Clock;
    for (size_t I = 0; I < Cycle.size(); ++I) {
      const Witness::Visit &From = Cycle[I],
                           &To = Cycle[(I + 1) % Cycle.size()];
      if (From.Exit.Number && To.Entry.Number)
        continue;
      // A step by start or join: what follows the last access before it?
      const NumberedEvent &Last = From.Exit.Number ? From.Exit : From.Entry;
      const NumberedEvent &Next = To.Entry.Number ? To.Entry : To.Exit;
      if (Mark == Place(From.Thread, Last.Number)) {
        Followers[I].assign(R.Threads.size(), false);
        Followers[I][From.Thread] = true;
      }
      if (Mark == Place(To.Thread, Next.Number) && !Followers[I].empty() &&
          Followers[I][To.Thread])
        Followed.insert(I);
    }
  }

  bool conflict(const NumberedEvent &First, const NumberedEvent &Later) const {
    const Event &A = First.What, &B = Later.What;
    const auto TimeA = Times.find({A.Thread, First.Number});
    const auto TimeB = Times.find({B.Thread, Later.Number});
    if (A.Thread == B.Thread || TimeA == Times.end() || TimeB == Times.end() ||
        TimeA->second > TimeB->second)
      return false;
    // A start conflicts with the thread's begin, and its end with a join of it.
    if (A.Kind == EventKind::Start || A.Kind == EventKind::Join)
      return First.Number == Later.Number && A.Kind == B.Kind &&
             (A.Kind == EventKind::Start ? B : A).Thread == A.Address;
    if (!(writes(A.Kind) || writes(B.Kind)))
      return false;
    // Look for bytes of both that live on from one to the other.
    const uint64_t Begin = std::max(A.Address, B.Address);
    const uint64_t LastA = A.Address + A.Size - 1,
                   LastB = B.Address + B.Size - 1;
    const uint64_t Last = std::min(LastA, LastB);
    if (Begin > Last)
      return false;
    std::vector<std::pair<uint64_t, uint64_t>> Dead;
    for (const auto &[Time, E] : Lives)
      if (E.Size && Time > TimeA->second && Time < TimeB->second)
        Dead.push_back({E.Address, E.Address + E.Size - 1});
    std::sort(Dead.begin(), Dead.end());
    uint64_t Next = Begin;
    for (const auto &[From, To] : Dead) {
      if (From > Next)
        return true;
      if (To >= Last)
        return false;
      Next = std::max(Next, To + 1);
    }
    return true;
  }

  const Replay &R;
  const std::vector<Witness::Visit> &Cycle;
  std::vector<size_t> At;        ///< The next step of each thread.
  std::vector<uint64_t> Reached; ///< The last event of each thread.
  std::vector<uint64_t> Arrived; ///< Arrivals in each round.
  Locks Held;
  uint64_t Clock = 0;
  std::set<Place> Marks;
  std::map<Place, uint64_t> Times;
  std::vector<std::pair<uint64_t, Event>> Lives; ///< Births and deaths.
  /// For each step by start or join, the threads whose next events follow.
  std::vector<std::vector<bool>> Followers;
  std::set<size_t> Followed;
};

std::string Replay::check(const std::vector<Stretch> &Schedule,
                          const std::vector<Witness::Visit> &Cycle) const {
  Run Now(*this, Cycle);
  for (const Stretch &S : Schedule) {
    std::string Wrong = Now.run(S);
    if (!Wrong.empty())
      return Wrong;
  }
  return Now.wrongInCycle();
}
