//===-- atsan_steered_thread.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of each thread while a run is steered: its name, how far it has
// come, and what it waits for.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_STEERED_THREAD_H
#define ATSAN_STEERED_THREAD_H

#include "runtime/schedule/atsan_schedule_file.h"

namespace __atsan {

// What has become of an order.
enum class OrderState : u8 {
  kOpen,
  kPassing,    // The first thread has left its point, and come to no other one.
  kKept,       // The first point came before the second one.
  kNeedsLock,  // Given up: the first thread needs a lock that is held.
  kNeverCame,  // Given up: the first thread did not come to its point.
};

struct OrderInRun {
  const Order *order;
  u32 first_place, second_place;  // Indices of the places that orders name.
  OrderState state;
  u64 passed_at;  // When it became kPassing.
};

struct SteeredThread {
  u64 path;
  SteeredThread *parent;  // nullptr: none.
  u32 children;
  u32 tid;        // Its Thread's.
  int kernel_id;  // 0: it has not begun.
  bool has_ended;
  bool passes;                // The first thread of an order that is kPassing.
  const OrderInRun *held_by;  // nullptr: it is not held.
  uptr wanted_lock;           // 0: it waits for none.
  SteeredThread *joined;      // The thread whose end it waits for, or nullptr.
  InternalMmapVector<u32> visits;  // By index of the place.
};

// All that follows is called with the lock of the steering held.

// Returns the thread that has the lock, as far as was seen, or nullptr.
SteeredThread *OwnerOf(uptr lock);
void NoteSteeredLock(uptr lock, SteeredThread *owner);
void NoteSteeredUnlock(uptr lock, SteeredThread *owner);

// Whom `t` waits for, as far as was seen, or nullptr; *needs_lock becomes true
// if it is for a lock.
SteeredThread *BlockerOf(const SteeredThread *t, bool *needs_lock);

}  // namespace __atsan

#endif  // ATSAN_STEERED_THREAD_H
