//===- HandOvers.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds which event of a run let which other one go on, beside locks: a signal
// the thread that it woke, a post of a semaphore the wait that took it, an
// annotation those behind it. In another schedule of the same events each pair
// comes in the same order.
//
// A semaphore is a lock as long as each thread gives back what it took. A post
// by another thread hands over, and the next wait takes that; who took nothing
// of his own holds nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_HANDOVERS_H
#define ATSAN_CHECK_HANDOVERS_H

#include "lib/check/LocksHeld.h"
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

namespace atsan::check {

/// Feed it every event of a trace in order; accesses may be left out. Not
/// thread-safe.
class HandOvers {
public:
  struct Place {
    uint32_t Thread;
    uint64_t Number; ///< The number of the event.
  };
  enum class Effect : uint8_t {
    None,
    Lock,  ///< The first acquire of a lock, or the last release.
    Tells, ///< Another thread may go on only after it.
    Hears, ///< It comes after needs().
  };

  /// \p Number: the event's, among all.
  Effect take(const trace::Event &E, uint64_t Number);

  /// The locks of a thread. Valid until the next take() or held().
  LocksHeld::Span held(uint32_t Thread) { return Held.held(Thread); }

  /// After Hears: events that tell. Of each thread only the last one.
  const std::vector<Place> &needs() const { return Needs; }
  /// After Hears: the wait that needs() has ended, and came after; null if it
  /// was none of a condition.
  const Place *began() const { return Began.Number ? &Began : nullptr; }
  /// After take(): the numbers of events that told and are in no needs() to
  /// come, except in that of this event.
  const std::vector<uint64_t> &gone() const { return Gone; }

private:
  /// What is told, and to how many.
  struct Signal {
    Place At;
    bool ToAll;
  };
  struct Condition {
    std::map<uint32_t, uint64_t> Waits; ///< By thread, the event.
    std::vector<Signal> Signals;        ///< Since there are waits.
  };

  Effect wake(const trace::Event &E);
  void leave(uint32_t Thread);
  Effect acquire(const trace::Event &E);
  Effect release(const trace::Event &E);
  void forget(const trace::Event &E);

  LocksHeld Held;
  uint64_t Count = 0; ///< The number of the last event.
  std::unordered_map<uint64_t, Condition> Conditions;
  std::unordered_map<uint32_t, uint64_t> WaitsOn; ///< By thread.
  std::map<uint64_t, std::deque<Place>> Posts;    ///< That nobody took yet.
  std::map<uint64_t, std::vector<Place>> Annotated;
  std::vector<Place> Needs;
  Place Began{};
  std::vector<uint64_t> Gone;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_HANDOVERS_H
