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
#include <algorithm>
#include <map>
#include <set>
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

/// An event of a lock, semaphore or condition; or where a thread has tried it
/// in vain, and which event says so.
struct Step {
  uint64_t Number;
  trace::Event What;
  uint64_t Try = 0; ///< 0: it is no try.
};
using Steps = std::vector<Step>; ///< All are of the same one.

/// Follows the steps of one lock, semaphore or condition in some order, and
/// says of a try whether it is in vain there.
class Object {
public:
  virtual ~Object() = default;
  virtual void take(const trace::Event &E) = 0;
  virtual bool refuses(const trace::Event &Try) const = 0;
};

/// Is the lock in the way? It knows who has it, by its events so far.
class Lock : public Object {
public:
  void take(const trace::Event &E) override {
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
  /// A thread's own lock is in its way as well.
  bool refuses(const trace::Event &Try) const override {
    const bool IsShared = Try.Size == trace::SharedTry;
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

/// Is the semaphore zero? Its posts are told before they are done, its waits
/// behind: so the events never say less than its value, which is never below
/// zero. It is taken to begin with the least value for which that holds.
class Semaphore : public Object {
public:
  explicit Semaphore(const Steps &Run) {
    int64_t Least = 0;
    for (const Step &S : Run) {
      Semaphore::take(S.What);
      Least = std::min(Least, Value);
    }
    Value = -Least;
  }
  void take(const trace::Event &E) override {
    Value += E.Kind == EventKind::Release;
    Value -= E.Kind == EventKind::Acquire;
  }
  bool refuses(const trace::Event &) const override { return Value <= 0; }

private:
  int64_t Value = 0;
};

/// Has nobody signalled the condition since the wait began?
class Condition : public Object {
public:
  void take(const trace::Event &E) override {
    if (E.Kind == EventKind::Wait)
      Waiting.insert(E.Thread);
    else if (E.Kind == EventKind::Signal)
      Waiting.clear();
  }
  bool refuses(const trace::Event &Wait) const override {
    return Waiting.count(Wait.Thread);
  }

private:
  std::set<uint32_t> Waiting;
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

template <typename F> void forEach(trace::Source &From, F Do) {
  uint64_t Number = 0;
  for (auto Span = From.next(); !Span.empty(); Span = From.next())
    for (const trace::Event &E : Span)
      Do(NumberedEvent{++Number, E});
}

/// What these are the steps of; null if there is no try of it.
std::unique_ptr<Object> objectOf(const Steps &Run) {
  const auto Try = std::find_if(Run.begin(), Run.end(),
                                [](const Step &S) { return S.Try != 0; });
  if (Try == Run.end())
    return nullptr;
  if (Try->What.Kind == EventKind::Wait)
    return std::make_unique<Condition>();
  if (Try->What.Size == trace::SemaphoreTry)
    return std::make_unique<Semaphore>(Run);
  return std::make_unique<Lock>();
}

/// Finds what was tried in vain. A thread that has waited for a condition does
/// nothing else before it goes on, and is told first if it was woken up.
class Tries {
public:
  /// Calls \p Do with each event that says of a try that it was in vain, once
  /// that is known.
  template <typename F> void take(const NumberedEvent &E, F Do) {
    if (const auto It = Waits.find(E.What.Thread); It != Waits.end()) {
      if (E.What.Kind != EventKind::Woken)
        Do(It->second);
      Waits.erase(It);
    }
    if (E.What.Kind == EventKind::TryFailed)
      Do(E);
    else if (E.What.Kind == EventKind::Wait)
      Waits[E.What.Thread] = E;
  }

private:
  std::map<uint32_t, NumberedEvent> Waits;
};

bool isOfCondition(EventKind K) {
  return K == EventKind::Wait || K == EventKind::Signal;
}

/// Takes out the tries whose failure the run does not explain: a lock can be
/// taken where nobody sees it, and a signal can wake another thread up.
void keepExplained(Steps &All) {
  const std::unique_ptr<Object> Is = objectOf(All);
  All.erase(std::remove_if(All.begin(), All.end(),
                           [&](const Step &S) {
                             if (S.Try)
                               return !Is->refuses(S.What);
                             Is->take(S.What);
                             return false;
                           }),
            All.end());
}

void follow(const Steps &All, const Times &Order, Finding &Of) {
  const std::unique_ptr<Object> Is = objectOf(All);
  if (!Is)
    return;
  std::vector<std::pair<Times::Time, const Step *>> Scheduled;
  for (const Step &S : All)
    if (const Times::Time When = Order.of(S.What.Thread, S.Number); When.first)
      Scheduled.push_back({When, &S});
  std::sort(Scheduled.begin(), Scheduled.end());
  for (const auto &[When, S] : Scheduled)
    if (!S->Try)
      Is->take(S->What);
    else if (!Is->refuses(S->What))
      Of.ChangedTries.push_back({S->Try, S->What});
}

} // namespace

bool atsan::predict::findChangedTries(
    std::vector<Finding> &Findings,
    const std::function<std::unique_ptr<trace::Source>()> &Open) {
  std::unordered_set<uint64_t> Tried;
  Tries First;
  forEach(*Open(), [&](const NumberedEvent &E) {
    First.take(
        E, [&](const NumberedEvent &Try) { Tried.insert(Try.What.Address); });
  });
  if (Tried.empty())
    return true;
  std::unordered_map<uint64_t, Steps> Objects;
  size_t Kept = 0;
  const auto Keep = [&](const Step &S) {
    if (Tried.count(S.What.Address) && ++Kept <= MostKept)
      Objects[S.What.Address].push_back(S);
  };
  Tries Again;
  forEach(*Open(), [&](const NumberedEvent &E) {
    Again.take(E, [&](const NumberedEvent &Try) {
      Keep({E.Number, Try.What, Try.Number});
    });
    if (isOfLock(E.What.Kind) || isOfCondition(E.What.Kind))
      Keep({E.Number, E.What});
  });
  if (Kept > MostKept || Kept * Findings.size() > MostLookedAt)
    return false;
  for (auto &[Address, All] : Objects)
    keepExplained(All);
  for (Finding &F : Findings) {
    if (F.Schedule.empty() || isOfRun(F))
      continue;
    const Times Order(F.Schedule);
    for (const auto &[Address, All] : Objects)
      follow(All, Order, F);
    std::sort(F.ChangedTries.begin(), F.ChangedTries.end(),
              [](const NumberedEvent &A, const NumberedEvent &B) {
                return A.Number < B.Number;
              });
  }
  return true;
}
