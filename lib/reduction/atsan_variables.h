//===-- atsan_variables.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of each variable that threads share: who accessed it in which
// period with which locks, and whether that may race (TSE'06 section 5.4).
//
// A variable is a set of bytes of one granule that were always accessed
// together; an access of some of them divides it. Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_VARIABLES_H
#define ATSAN_VARIABLES_H

#include "lib/reduction/atsan_lock_sets.h"
#include "lib/reduction/atsan_pool.h"

namespace __atsan {

// The accesses of one thread to a variable, of one kind and with the same
// locks: the latest of them stands for all.
struct Sample {
  Sample *next;
  u64 event;
  u32 thread;
  u32 period;
  u32 location;
  LockSetId locks;  // The locks held; for a write, those held exclusively.
  bool write;
  bool atomic;
  bool contended;  // Another thread's conflicting access may overlap one.
};

// Two accesses that no order and no lock keeps apart, as well as they could be
// chosen.
struct RaceEvidence {
  Sample first;
  Sample later;
  uptr addr;
  bool disjoint;  // The accesses have no lock in common.
};

enum VariableFlags : u8 {
  // Accesses in concurrent periods, at least one of them a write. Without such
  // a pair, every access commutes with those of other threads, whatever the
  // locks: read-only and thread-local variables, and more.
  kConcurrentWrites = 1 << 0,
  kConcurrentReadWrite = 1 << 1,
  kConcurrent = kConcurrentWrites | kConcurrentReadWrite,
  // Accesses in concurrent periods, at least one of them a write, that are not
  // both atomic.
  kPlainWrites = 1 << 2,
  kPlainReadWrite = 1 << 3,
  // Accesses are no both-movers, by the multilocksets.
  kRaced = 1 << 4,
  // Accesses are no both-movers, counting only pairs that are not both atomic.
  kDataRace = 1 << 5,
  // Eraser's lockset is empty after a write of a shared variable.
  kEraserRace = 1 << 6,
  kEraserDataRace = 1 << 7,
};

struct Variable {
  Variable *next;  // The next variable in the same granule.
  Sample *samples;
  RaceEvidence *race;    // The evidence, if raced on; stays when it dies.
  u32 id;                // 0 unless ids are kept.
  LockSetId eraser_set;  // kAllLocks: only one thread has accessed it.
  u32 eraser_owner;
  u8 flags;
  u8 mask;  // The bytes of the granule that it has.
  bool eraser_written;
  bool eraser_plain;  // Not all accesses of it were atomic.
};

class Variables {
 public:
  // Calls fn(granule, variable) for the variables of these bytes, which are
  // made where there are none, and divided so that they cover just these.
  // `split(from, to)` is called for each that is divided, with its other part,
  // which is equal but for mask and id.
  template <typename Fn, typename Split>
  void ForEach(uptr addr, uptr size, Fn fn, Split split);
  // Forgets the variables of bytes that cease to be what they were.
  void Forget(uptr addr, uptr size);

  Sample *AddSample(Variable *v);
  RaceEvidence *AddEvidence(Variable *v);
  uptr Live() const { return variables_.Taken(); }

 private:
  static constexpr uptr kGranule = 8;
  static u32 MaskOf(uptr granule, uptr addr, uptr end);
  Variable *Divide(Variable *v, u32 mask);
  Variable *Make(Variable **head, u32 mask);
  void Free(Variable *v);
  void ForgetBytes(uptr granule, u32 mask);

  Pool<Variable> variables_;
  Pool<Sample> samples_;
  Pool<RaceEvidence> evidence_;
  DenseMap<uptr, Variable *> granules_;  // By address / kGranule.
};

inline u32 Variables::MaskOf(uptr granule, uptr addr, uptr end) {
  const uptr begin = granule * kGranule;
  const u32 from = addr > begin ? addr - begin : 0;
  const u32 to = end - begin < kGranule ? end - begin : kGranule;
  return ((1u << to) - 1) & ~((1u << from) - 1);
}

template <typename Fn, typename Split>
void Variables::ForEach(uptr addr, uptr size, Fn fn, Split split) {
  const uptr end = addr + size;
  for (uptr g = addr / kGranule; g <= (end - 1) / kGranule; g++) {
    u32 missing = MaskOf(g, addr, end);
    Variable **head = &granules_[g];
    for (Variable *v = *head; v && missing; v = v->next) {
      if (!(v->mask & missing))
        continue;
      if (v->mask & ~missing)
        split(v, Divide(v, v->mask & ~missing));
      missing &= ~v->mask;
      fn(g * kGranule, v);
    }
    if (missing)
      fn(g * kGranule, Make(head, missing));
  }
}

}  // namespace __atsan

#endif  // ATSAN_VARIABLES_H
