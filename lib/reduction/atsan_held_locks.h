//===-- atsan_held_locks.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The locks that each thread holds now, in the order in which it took them:
// how (shared or exclusive, how often), and by which acquisition.
//
// Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HELD_LOCKS_H
#define ATSAN_HELD_LOCKS_H

#include "sanitizer_common/sanitizer_vector.h"

namespace __atsan {

using namespace __sanitizer;

struct LockHold {
  u64 lock;
  u64 acquisition;  // The caller's number of the outermost acquire.
  u32 location;     // The location of the outermost acquire.
  u32 exclusive;    // How often it is held exclusively.
  u32 shared;

  bool IsExclusive() const { return exclusive; }
};

enum class LockStep : u8 {
  kOuter,  // The first acquire, or the last release: others may notice it.
  // An acquire of what the thread holds, or a release of what it still holds.
  kInner,
  kNotHeld,  // A release of what the thread does not hold.
};

class HeldLocks {
 public:
  HeldLocks() = default;
  ~HeldLocks();
  HeldLocks(const HeldLocks &) = delete;
  void operator=(const HeldLocks &) = delete;

  LockStep Acquire(u32 thread, u64 lock, bool shared, u64 acquisition,
                   u32 location);
  // `released`, if not null, gets what the lock was held as, except after
  // kNotHeld. A lock that one thread takes and another gives back (a semaphore)
  // is no longer held by the first.
  LockStep Release(u32 thread, u64 lock, bool shared,
                   LockHold *released = nullptr);
  void Forget(u32 thread);

  const Vector<LockHold> &Of(u32 thread);

 private:
  static LockHold *Find(Vector<LockHold> *held, u64 lock);
  static void Remove(Vector<LockHold> *held, const LockHold *which);

  Vector<Vector<LockHold> *> threads_;
};

}  // namespace __atsan

#endif  // ATSAN_HELD_LOCKS_H
