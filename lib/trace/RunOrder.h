//===- RunOrder.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cannot have happened in a run: a lock that is released and not held, a
// thread that goes on after it was joined. Whoever feeds it decides what
// follows from a complaint. Shared locks, barriers and waits are not looked at.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_RUNORDER_H
#define ATSAN_TRACE_RUNORDER_H

#include "lib/event/Event.h"
#include <unordered_map>

namespace atsan::trace {

enum class Complaint : uint8_t {
  None,
  EndWithoutBegin,
  ReleaseOfUnheld,
  AcquireOfHeld, ///< Another thread holds the lock.
  StartOfRunning,
  JoinOfUnknown,
  JoinOfItself,
  RunsAfterJoin,
};

/// The complaint in words, with the names of thread and lock.
std::string describe(Complaint C, const Event &E, const Names &Known);

/// Feed it every event in order; after a complaint, too. O(1) an event.
class RunOrder {
public:
  Complaint take(const Event &E) {
    Thread &T = at(E.Thread);
    if (T.IsJoined)
      return Complaint::RunsAfterJoin;
    T.IsKnown = true;
    return isAccess(E.Kind) ? Complaint::None : takeOther(T, E);
  }

private:
  struct Thread {
    bool IsKnown = false; ///< Was started, or has run.
    bool IsJoined = false;
    uint32_t Depth = 0; ///< Open regions.
  };
  struct Lock {
    uint32_t Holder = 0;
    uint32_t Depth = 0; ///< 0: not held.
  };

  Thread &at(uint64_t Number) {
    if (Number >= Threads.size())
      Threads.resize(Number + 1);
    return Threads[Number];
  }
  Complaint takeOther(Thread &T, const Event &E);

  std::vector<Thread> Threads;
  std::unordered_map<uint64_t, Lock> Locks;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_RUNORDER_H
