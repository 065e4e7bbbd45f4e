//===- ChangedTries.cpp
//------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/ChangedTries.h"
#include "lib/check/Violations.h"
#include "lib/predict/Times.h"
#include <unordered_map>
#include <unordered_set>

using namespace atsan;
using namespace atsan::predict;
using check::Finding;
using check::NumberedEvent;
using trace::EventKind;

namespace {

/// Bound the memory for events of locks, and the time to look at them.
constexpr size_t MostKept = size_t(1) << 24, MostLookedAt = size_t(1) << 28;

/// Knows who has a lock, by its events so far.
class Holders {
public:
  void take(const trace::Event &E) {
    Held &H = Of[E.Thread];
    switch (E.Kind) {
    case EventKind::Acquire:
      ++H.Depth;
      break;
    case EventKind::AcquireShared:
      ++H.Shared;
      break;
    case EventKind::Release:
      H.Depth -= H.Depth != 0;
      break;
    case EventKind::ReleaseShared:
      H.Shared -= H.Shared != 0;
      break;
    default:
      return;
    }
    if (!H.Depth && !H.Shared)
      Of.erase(E.Thread);
  }
  /// Does a try fail? A thread's own lock is in its way as well.
  bool refuse(const trace::Event &Try) const {
    const bool IsShared = Try.Size;
    return std::any_of(Of.begin(), Of.end(), [=](const auto &H) {
      return H.second.Depth || (!IsShared && H.second.Shared);
    });
  }

private:
  struct Held {
    unsigned Depth = 0, Shared = 0;
  };
  std::map<uint32_t, Held> Of;
};

/// Did the run already have what forces the cycle?
bool isOfRun(const Finding &F) {
  return !F.Relations.empty() &&
         std::all_of(F.Relations.begin(), F.Relations.end(),
                     [](const check::Relation &R) {
                       return R.Why == check::reason::ProgramOrder ||
                              R.First.Number < R.Later.Number;
                     });
}

using Events = std::vector<NumberedEvent>; ///< All are of the same lock.

template <typename F> void forEach(trace::Source &From, F Do) {
  uint64_t Number = 0;
  for (auto Span = From.next(); !Span.empty(); Span = From.next())
    for (const trace::Event &E : Span)
      Do(NumberedEvent{++Number, E});
}

/// Takes out the tries whose failure the run does not explain: a lock can be
/// taken where nobody sees it.
void keepExplained(Events &All) {
  Holders Has;
  All.erase(std::remove_if(All.begin(), All.end(),
                           [&](const NumberedEvent &E) {
                             if (E.What.Kind == EventKind::TryFailed)
                               return !Has.refuse(E.What);
                             Has.take(E.What);
                             return false;
                           }),
            All.end());
}

void follow(const Events &All, const Times &Order, Finding &Of) {
  std::vector<std::pair<Times::Time, const NumberedEvent *>> Scheduled;
  for (const NumberedEvent &E : All)
    if (const Times::Time When = Order.of(E.What.Thread, E.Number); When.first)
      Scheduled.push_back({When, &E});
  std::sort(Scheduled.begin(), Scheduled.end());
  Holders Has;
  for (const auto &[When, E] : Scheduled)
    if (E->What.Kind != EventKind::TryFailed)
      Has.take(E->What);
    else if (!Has.refuse(E->What))
      Of.ChangedTries.push_back(*E);
}

} // namespace

bool atsan::predict::findChangedTries(
    std::vector<Finding> &Findings,
    const std::function<std::unique_ptr<trace::Source>()> &Open) {
  std::unordered_set<uint64_t> Tried;
  forEach(*Open(), [&](const NumberedEvent &E) {
    if (E.What.Kind == EventKind::TryFailed)
      Tried.insert(E.What.Address);
  });
  if (Tried.empty())
    return true;
  std::unordered_map<uint64_t, Events> Locks;
  size_t Kept = 0;
  forEach(*Open(), [&](const NumberedEvent &E) {
    if ((isOfLock(E.What.Kind) || E.What.Kind == EventKind::TryFailed) &&
        Tried.count(E.What.Address) && ++Kept <= MostKept)
      Locks[E.What.Address].push_back(E);
  });
  if (Kept > MostKept || Kept * Findings.size() > MostLookedAt)
    return false;
  for (auto &[Address, All] : Locks)
    keepExplained(All);
  for (Finding &F : Findings) {
    if (F.Schedule.empty() || isOfRun(F))
      continue;
    const Times Order(F.Schedule);
    for (const auto &[Address, All] : Locks)
      follow(All, Order, F);
    std::sort(F.ChangedTries.begin(), F.ChangedTries.end(),
              [](const NumberedEvent &A, const NumberedEvent &B) {
                return A.Number < B.Number;
              });
  }
  return true;
}
