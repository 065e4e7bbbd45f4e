//===- ProfileStream.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accesses of a run as prediction looks at them (TACAS'09): what bytes, in
// which transaction of its thread, and in what surroundings. The order within
// each thread is kept; that between threads is of no concern.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_PROFILESTREAM_H
#define ATSAN_CHECK_PROFILESTREAM_H

#include "lib/check/HappensBefore.h"
#include "lib/check/LivingBytes.h"
#include "lib/check/LockStretches.h"

namespace atsan::check {

/// Reads or writes of one range: twice its number, plus 1 for writes. A
/// read-modify-write counts as a write, which is in conflict with all.
using AccessClass = uint32_t;
constexpr uint32_t rangeOf(AccessClass C) { return C / 2; }
constexpr bool isWrite(AccessClass C) { return C % 2; }

/// Where an access is among what its thread does with locks, starts, joins and
/// barriers. All the same where synchronization is ignored.
struct Surroundings {
  PeriodId Period = 0;
  LockStretches::Id Locks = LockStretches::Free; ///< Its stretch.
  uint32_t Slot = 0; ///< How many operations of the stretch come before it.

  bool operator==(const Surroundings &S) const {
    return Period == S.Period && Locks == S.Locks && Slot == S.Slot;
  }
};

/// What is kept of an event: with its thread and its class, that is enough to
/// speak of it.
struct EventMark {
  uint64_t Number = 0;
  uint32_t Location = 0;
  trace::EventKind Kind = trace::EventKind::Read;
};
/// A region, by its begin.
struct RegionMark {
  EventMark Begin;
  uint64_t Name = 0;
};

struct ProfiledAccess {
  AccessClass Class;
  uint32_t Thread;
  uint64_t Transaction; ///< The thread has others, too.
  EventMark Now;
  Surroundings Around;
  bool InRegion;
  RegionMark Region;    ///< The outermost one.
  uint64_t Stretch = 0; ///< Its number in the thread; 0: in none.
};

NumberedEvent beginOf(const RegionMark &R, uint32_t Thread);

/// Not thread-safe.
class ProfileStream {
public:
  class Consumer {
  public:
    virtual ~Consumer() = default;
    /// Gets each access, in the order of its thread.
    virtual void access(const ProfiledAccess &A) = 0;
    /// Gets each stretch behind its accesses.
    virtual void endStretch(uint32_t, LockStretches::Id) {}
  };

  /// \p WithLocks: surroundings are told.
  ProfileStream(const RegionSplits &Splits, bool WithLocks)
      : Parts(Splits), WithLocks(WithLocks) {}

  /// Takes every event of the trace, in order.
  void take(const trace::Event &E, Consumer &To);
  /// The trace is over.
  void finish(Consumer &To);

  /// After finish().
  const LivingBytes &bytes() const { return Bytes; }
  const LockStretches &stretches() const { return Stretches; }
  const HappensBefore &order() const { return Order; }
  uint32_t threads() const { return uint32_t(Threads.size()); }
  NumberedEvent eventOf(const EventMark &E, AccessClass C,
                        uint32_t Thread) const;

private:
  /// A stretch of more accesses is cut, so that memory does not grow with it:
  /// what it excludes behind the cut is then not known.
  static constexpr size_t MaxWaiting = 1 << 14;

  struct ThreadState {
    uint64_t Transaction = 0;
    uint64_t Part = 0; ///< The event with which the open part begins; 0: none.
    RegionMark Region; ///< The outermost one.
    uint64_t Stretch = 0;
    /// Accesses of a stretch that is not over: its number is not known.
    std::vector<ProfiledAccess> Waiting;
  };
  void endStretch(uint32_t Thread, LockStretches::Id Locks, Consumer &To);
  void access(ThreadState &T, const trace::Event &E, bool InRegion,
              Consumer &To);

  Transactions Parts;
  const bool WithLocks;
  LivingBytes Bytes;
  LockStretches Stretches;
  HappensBefore Order;
  uint64_t Count = 0;
  std::vector<ThreadState> Threads;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_PROFILESTREAM_H
