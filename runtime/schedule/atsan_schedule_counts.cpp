//===-- atsan_schedule_counts.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counters of references, as std::shared_ptr has them. Only the first and the
// last reference are steps: others commute, and are many.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

// When each thread has counted last.
struct Counting {
  static constexpr u32 kMost = 8;
  u32 threads[kMost], periods[kMost];
  u32 count;
  bool is_full;

  void Add(const ScheduledThread *t) {
    u32 i = 0;
    while (i < count && threads[i] != t->number)
      i++;
    is_full |= i == kMost;
    if (is_full)
      return;
    threads[i] = t->number;
    periods[i] = t->period;
    count = Max(count, i + 1);
  }

  // Whether starts and ends of threads order all of it before the thread.
  bool IsKnownTo(const ScheduledThread *t) const {
    for (u32 i = 0; i < count; i++)
      if (!Knows(t, threads[i], periods[i]))
        return false;
    return !is_full;
  }
};

DenseMap<uptr, Counting> &Countings() {
  using Map = DenseMap<uptr, Counting>;
  alignas(Map) static char storage[sizeof(Map)];
  static Map *map;
  if (!map)
    map = new (storage) Map();
  return *map;
}

}  // namespace

bool NoteCount(ScheduledThread *self, uptr counter, uptr size, u64 added) {
  const u64 before = ValueAt(counter, size);
  const u32 unused_bits = 64 - size * 8;
  const bool is_last = (before + added) << unused_bits == 0;
  bool is_known = true;
  if (self) {
    ScopedSchedulerLock lock;
    if (is_last)
      is_known = Countings()[counter].IsKnownTo(self);
    if (is_last || !before)
      Countings().erase(counter);
    else
      Countings()[counter].Add(self);
  }
  if (!is_known)
    LeaveGap(Gap::kUnnamed);
  return is_last || !before;
}

}  // namespace __atsan
