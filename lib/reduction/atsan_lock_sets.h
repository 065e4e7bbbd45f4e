//===-- atsan_lock_sets.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets of locks, each kept once and named by a number, so that a variable costs
// a word for a set and equal sets are equal numbers. Locks are numbers, too.
// Most sets have at most one lock; what two sets have in common is remembered.
//
// Not thread-safe. Grows with the distinct sets that were asked for.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LOCK_SETS_H
#define ATSAN_LOCK_SETS_H

#include "lib/reduction/atsan_placement_new.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_vector.h"

namespace __atsan {

using namespace __sanitizer;

typedef u32 LockId;
typedef u32 LockSetId;

constexpr LockSetId kNoLocks = 0;
// Not a set yet: any set intersected with it stays what it is.
constexpr LockSetId kAllLocks = ~0u;

class LockSets {
 public:
  LockSets() { sets_.PushBack(); }

  LockSetId With(LockSetId set, LockId lock);
  LockSetId Without(LockSetId set, LockId lock);
  LockSetId Intersect(LockSetId a, LockSetId b);
  bool AreDisjoint(LockSetId a, LockSetId b) {
    return Intersect(a, b) == kNoLocks;
  }

  uptr SizeOf(LockSetId set) const { return sets_[set].size; }
  // The i-th lock of a set, in ascending order.
  LockId At(LockSetId set, uptr i) const {
    return locks_[sets_[set].first + i];
  }

 private:
  struct Set {
    u32 first;  // Index into locks_.
    u32 size;
    LockSetId next;  // The next set with the same hash; 0: none.
  };

  // The set of the last `size` locks of locks_, which are taken off if it is
  // there already.
  LockSetId Intern(u32 size);

  Vector<LockId> locks_;
  Vector<Set> sets_;
  DenseMap<u64, LockSetId> by_hash_;
  DenseMap<u64, LockSetId> common_;
  DenseMap<u64, LockSetId> with_;
};

}  // namespace __atsan

#endif  // ATSAN_LOCK_SETS_H
