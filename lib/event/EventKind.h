//===- EventKind.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds of events, alone: the runtime, which has no C++ library, includes
// this. Their numbers are in files: new ones go to the end.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_EVENT_EVENTKIND_H
#define ATSAN_EVENT_EVENTKIND_H

#include <stdint.h>

namespace atsan::trace {

enum class EventKind : uint8_t {
  // Accesses of Size bytes at Address.
  Read,
  Write,
  ReadModifyWrite, // One event; counts as a read and a write.
  // The Size bytes at Address become, or cease to be, entities (semantics rule
  // 9). Their former history is of no concern to the next life.
  Birth,
  Death,
  // The word at Address now holds a pointer into the live block at Size. With
  // Address 0 the pointer is handed to a thread that Thread starts next. A
  // pointer event follows the Write, and is not an access itself. For escape
  // analysis.
  Pointer,
  // Regions, as marked: they may nest. Address: the name's number in Names, or
  // 0 for none.
  RegionBegin,
  RegionEnd,
  Restart, // The attempt is given up; the transaction starts anew here.
  // Locks: Address is the lock. Recursive locks: every acquire, every release.
  Acquire,
  Release,
  AcquireShared,
  ReleaseShared,
  // Threads: Address is the other thread's number.
  Start,
  Join,
  End, // The last event of Thread.
  // Address is the barrier. A thread leaves after all of its round have
  // arrived: of an arrival, Size is how many these are; 0: not known.
  BarrierArrive,
  BarrierLeave,
  // A condition wait on Address, between the Release and the Acquire of its
  // mutex.
  Wait,
  // A condition at Address is signalled: Size 0, for one thread; 1, for all.
  Signal,
  // The condition at Address woke the thread up, before it has the mutex again.
  // A wait that is over without was cut short: by a limit of time, mostly.
  Woken,
  // Annotations: what follows HappensAfter comes after each HappensBefore on
  // the same Address so far.
  HappensBefore,
  HappensAfter,
  // A try for the lock or semaphore at Address failed, or a wait for it took
  // too long. Size is one of TryOf.
  TryFailed,
};
enum TryOf : uint64_t { ExclusiveTry, SharedTry, SemaphoreTry };
constexpr unsigned NumEventKinds =
    static_cast<unsigned>(EventKind::TryFailed) + 1;

constexpr bool isAccess(EventKind K) { return K <= EventKind::ReadModifyWrite; }
constexpr bool reads(EventKind K) {
  return K == EventKind::Read || K == EventKind::ReadModifyWrite;
}
constexpr bool writes(EventKind K) {
  return K == EventKind::Write || K == EventKind::ReadModifyWrite;
}

constexpr bool isAcquire(EventKind K) {
  return K == EventKind::Acquire || K == EventKind::AcquireShared;
}
constexpr bool isRelease(EventKind K) {
  return K == EventKind::Release || K == EventKind::ReleaseShared;
}
constexpr bool isOfLock(EventKind K) { return isAcquire(K) || isRelease(K); }
constexpr bool isShared(EventKind K) {
  return K == EventKind::AcquireShared || K == EventKind::ReleaseShared;
}

} // namespace atsan::trace

#endif // ATSAN_EVENT_EVENTKIND_H
