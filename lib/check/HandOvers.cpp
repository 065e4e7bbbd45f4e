//===- HandOvers.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/HandOvers.h"
#include <algorithm>

using namespace atsan;
using namespace atsan::check;
using atsan::trace::EventKind;

HandOvers::Effect HandOvers::take(const trace::Event &E, uint64_t Number) {
  Count = Number;
  Gone.clear();
  if (!isOfLock(E.Kind))
    Held.skip();
  switch (E.Kind) {
  case EventKind::Acquire:
  case EventKind::AcquireShared:
    return acquire(E);
  case EventKind::Release:
  case EventKind::ReleaseShared:
    return release(E);
  case EventKind::Birth:
  case EventKind::Death:
    forget(E);
    break;
  case EventKind::End:
    leave(E.Thread);
    break;
  case EventKind::Wait:
    leave(E.Thread);
    Conditions[E.Address].Waits[E.Thread] = Count;
    WaitsOn[E.Thread] = E.Address;
    // The signal that ends the wait comes after it.
    return Effect::Tells;
  case EventKind::Signal: {
    const auto It = Conditions.find(E.Address);
    if (It == Conditions.end())
      break;
    It->second.Signals.push_back({{E.Thread, Count}, E.Size != 0});
    return Effect::Tells;
  }
  case EventKind::Woken:
    return wake(E);
  case EventKind::HappensBefore: {
    std::vector<Place> &All = Annotated[E.Address];
    const auto Own = std::find_if(All.begin(), All.end(), [&](const Place &P) {
      return P.Thread == E.Thread;
    });
    if (Own == All.end()) {
      All.push_back({E.Thread, Count});
    } else {
      Gone.push_back(Own->Number);
      Own->Number = Count;
    }
    return Effect::Tells;
  }
  case EventKind::HappensAfter: {
    const auto It = Annotated.find(E.Address);
    if (It == Annotated.end())
      break;
    Needs = It->second;
    Began = {};
    return Effect::Hears;
  }
  default:
    break;
  }
  return Effect::None;
}

/// A thread takes the first signal since its wait that nobody else took.
HandOvers::Effect HandOvers::wake(const trace::Event &E) {
  const auto It = Conditions.find(E.Address);
  if (It == Conditions.end() || !It->second.Waits.count(E.Thread))
    return Effect::None;
  Condition &C = It->second;
  Began = {E.Thread, C.Waits[E.Thread]};
  const auto First =
      std::find_if(C.Signals.begin(), C.Signals.end(),
                   [&](const Signal &S) { return S.At.Number > Began.Number; });
  const bool IsSpurious = First == C.Signals.end();
  if (!IsSpurious) {
    Needs = {First->At};
    if (!First->ToAll) {
      Gone.push_back(First->At.Number);
      C.Signals.erase(First);
    }
  }
  leave(E.Thread);
  return IsSpurious ? Effect::None : Effect::Hears;
}

/// The thread waits no more. Signals without anybody who waits are lost.
void HandOvers::leave(uint32_t Thread) {
  const auto Of = WaitsOn.find(Thread);
  if (Of == WaitsOn.end())
    return;
  const auto It = Conditions.find(Of->second);
  It->second.Waits.erase(Thread);
  if (It->second.Waits.empty()) {
    for (const Signal &S : It->second.Signals)
      Gone.push_back(S.At.Number);
    Conditions.erase(It);
  }
  WaitsOn.erase(Of);
}

HandOvers::Effect HandOvers::acquire(const trace::Event &E) {
  leave(E.Thread);
  const auto It = Posts.find(E.Address);
  if (It == Posts.end() || E.Kind != EventKind::Acquire)
    return Held.take(E) == LockStep::kOuter ? Effect::Lock : Effect::None;
  Held.skip();
  Needs = {It->second.front()};
  Began = {};
  Gone.push_back(Needs[0].Number);
  It->second.pop_front();
  if (It->second.empty())
    Posts.erase(It);
  return Effect::Hears;
}

HandOvers::Effect HandOvers::release(const trace::Event &E) {
  switch (Held.take(E)) {
  case LockStep::kOuter:
    return Effect::Lock;
  case LockStep::kInner:
    return Effect::None;
  case LockStep::kNotHeld:
    break;
  }
  if (E.Kind != EventKind::Release)
    return Effect::None;
  Posts[E.Address].push_back({E.Thread, Count});
  return Effect::Tells;
}

/// What memory comes to hold next has nothing to do with what was there.
void HandOvers::forget(const trace::Event &E) {
  const auto ForgetIn = [&](auto &All) {
    auto It = All.lower_bound(E.Address);
    for (; It != All.end() && It->first - E.Address < E.Size;
         It = All.erase(It))
      for (const Place &P : It->second)
        Gone.push_back(P.Number);
  };
  ForgetIn(Posts);
  ForgetIn(Annotated);
}
