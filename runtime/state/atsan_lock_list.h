//===-- atsan_lock_list.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LOCK_LIST_H
#define ATSAN_LOCK_LIST_H

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

// A lock that a thread holds, with its recursion count.
struct HeldLock {
  uptr addr;
  u32 count;
};

// The locks that a thread holds, in no order: few at a time.
class LockList : public InternalMmapVectorNoCtor<HeldLock> {
 public:
  // nullptr: the thread does not hold it.
  HeldLock *Find(uptr addr) {
    for (HeldLock &held : *this)
      if (held.addr == addr)
        return &held;
    return nullptr;
  }
  // Returns whether the thread did not hold the lock before.
  bool Take(uptr addr, u32 levels = 1) {
    if (HeldLock *held = Find(addr)) {
      held->count += levels;
      return false;
    }
    push_back({addr, levels});
    return true;
  }
  // Returns whether the thread does not hold the lock any more.
  bool GiveBack(HeldLock *held, u32 levels = 1) {
    held->count -= levels;
    if (held->count)
      return false;
    *held = back();
    pop_back();
    return true;
  }
};

}  // namespace __atsan

#endif  // ATSAN_LOCK_LIST_H
