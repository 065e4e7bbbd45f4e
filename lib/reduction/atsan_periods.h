//===-- atsan_periods.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which parts of threads cannot overlap in any schedule: happens-before from
// thread start, join and barriers alone (TSE'06 section 4), by vector clocks.
// Locks, conditions and atomics order nothing here: another run may order them
// otherwise.
//
// Thread numbers are the caller's and small. Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_PERIODS_H
#define ATSAN_PERIODS_H

#include "lib/reduction/atsan_placement_new.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_vector.h"

namespace __atsan {

using namespace __sanitizer;

// The number-th period of a thread, counted from 1: what it does between two of
// its boundaries.
struct Period {
  u32 thread;
  u32 number;

  bool operator==(const Period &other) const {
    return thread == other.thread && number == other.number;
  }
};

// For each thread the number of a period of it, 0 where there is none.
class PeriodClock {
 public:
  u32 At(u32 thread) const {
    return thread < numbers_.Size() ? numbers_[thread] : 0;
  }
  void Set(u32 thread, u32 number);
  void JoinWith(const PeriodClock &other);
  void CopyTo(PeriodClock *other) const;
  void Reset() { numbers_.Reset(); }
  uptr Size() const { return numbers_.Size(); }

 private:
  Vector<u32> numbers_;
};

class Periods {
 public:
  Periods() = default;
  ~Periods();
  Periods(const Periods &) = delete;
  void operator=(const Periods &) = delete;

  // The period in which the thread is now.
  Period Current(u32 thread);
  // Must `p` have ended before the current period of `thread` began?
  bool IsBefore(Period p, u32 thread);
  // The periods that have ended before the current one of `thread`; its own
  // entry is its current period.
  const PeriodClock &ClockOf(u32 thread) { return Get(thread)->clock; }

  // Each function begins another period of `thread`.
  void Start(u32 thread, u32 child);
  void Join(u32 thread, u32 ended);
  // `parties`: how many meet there; 0: not known, then who arrives before the
  // first has left is of the same round.
  void Arrive(u32 thread, uptr barrier, u32 parties);
  void Leave(u32 thread, uptr barrier);
  // What follows comes after a period with this clock.
  void After(u32 thread, const PeriodClock &earlier);
  // A boundary of any other kind, which orders nothing.
  void Boundary(u32 thread);
  // The thread has ended, and will not be joined (again).
  void Forget(u32 thread);

 private:
  // What threads that meet once at a barrier have in common.
  struct Round {
    PeriodClock clock;
    u32 arrived;
    u32 owners;  // The threads inside, and gathering_ until it is complete.
  };
  struct Thread {
    PeriodClock clock;
    Round *round;  // The round in which it has arrived, and not left.
  };

  Thread *Get(u32 thread);
  void Step(u32 thread, Thread *t);
  static void LeaveRound(Thread *t);
  void Complete(uptr barrier, Round *round);
  static void Disown(Round *round);

  Vector<Thread *> threads_;
  DenseMap<uptr, Round *> gathering_;
};

}  // namespace __atsan

#endif  // ATSAN_PERIODS_H
