//===- LocksHeld.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The locks that each thread holds, by the events of a trace: modes, recursion,
// and the acquire event that each began with. The bookkeeping is the runtime's
// (lib/reduction/atsan_held_locks.h).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LOCKSHELD_H
#define ATSAN_CHECK_LOCKSHELD_H

#include "lib/event/Event.h"
#include "lib/reduction/atsan_held_locks.h"

namespace atsan::check {

/// `lock` is the event's Address, `acquisition` the number of the outermost
/// acquire event, `location` its Location.
using HeldLock = __atsan::LockHold;
/// What an acquire or a release did: kOuter, kInner (recursion) or kNotHeld.
using __atsan::LockStep;

/// Feed it every event of a trace in order. O(locks held) for an acquire or a
/// release. Not thread-safe.
class LocksHeld {
public:
  struct Span {
    const HeldLock *Data;
    size_t Count;
    const HeldLock *begin() const { return Data; }
    const HeldLock *end() const { return Data + Count; }
    size_t size() const { return Count; }
    bool empty() const { return !Count; }
  };

  /// Takes an event, and returns kInner for one that is no acquire or release.
  LockStep take(const trace::Event &E) {
    ++Count;
    if (isAcquire(E.Kind))
      return Locks.Acquire(E.Thread, E.Address, isShared(E.Kind), Count,
                           E.Location);
    if (isRelease(E.Kind))
      return Locks.Release(E.Thread, E.Address, isShared(E.Kind));
    return LockStep::kInner;
  }

  /// Takes an event that is to have no effect on locks.
  void skip() { ++Count; }

  /// The locks of a thread in the order of acquisition. Valid until the next
  /// take() or held().
  Span held(uint32_t Thread) {
    const auto &Of = Locks.Of(Thread);
    return {Of.Size() ? &Of[0] : nullptr, Of.Size()};
  }

private:
  __atsan::HeldLocks Locks;
  uint64_t Count = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LOCKSHELD_H
