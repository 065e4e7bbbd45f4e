//===-- atsan_races.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variables of atsan_commutativity.h: the multilockset algorithm (TSE'06
// section 5.4, Fig. 3) on the samples of a variable, which are at once its
// ReadSets, thread sets and the evidence; and Eraser's algorithm to compare.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_commutativity.h"

namespace __atsan {

void Commutativity::Record(Variable *v, uptr granule, const AccessOf &a,
                           const EventPoint &at) {
  if (UNLIKELY(!v->id && options_.keep_ids))
    Number(v);
  const u8 before = v->flags;
  if (options_.with_eraser || !options_.multi_lock_sets)
    Eraser(v, a);
  Sample *s = v->samples;
  while (s && !(s->thread == a.thread && s->locks == a.locks &&
                s->write == a.write && s->atomic == a.atomic))
    s = s->next;
  if (s && s->period == a.period) {
    if (UNLIKELY(v->flags != before))
      Keep(v);
    return;
  }
  if (!s) {
    s = variables_.AddSample(v);
    s->thread = a.thread;
    s->locks = a.locks;
    s->write = a.write;
    s->atomic = a.atomic;
  }
  s->period = a.period;
  s->event = at.event;
  s->location = Locate(a.thread, at);
  Compare(v, granule, s);
  MultiLockSets(v);
  if (v->flags != before)
    Keep(v);
}

// Looks for pairs with `s` that may overlap.
void Commutativity::Compare(Variable *v, uptr granule, Sample *s) {
  for (Sample *o = v->samples; o; o = o->next) {
    if (!(o->write || s->write) ||
        !AreConcurrent(o->thread, o->period, s->thread))
      continue;
    o->contended = s->contended = true;
    const bool both = o->write && s->write;
    const bool plain = !(o->atomic && s->atomic);
    v->flags |= both ? kConcurrentWrites : kConcurrentReadWrite;
    if (plain)
      v->flags |= both ? kPlainWrites : kPlainReadWrite;
    const bool disjoint = sets_.AreDisjoint(o->locks, s->locks);
    const RaceEvidence *old = v->race;
    const auto rank = [](bool is_plain, bool is_disjoint) {
      return 2 * is_plain + is_disjoint;
    };
    if (old && rank(!(old->first.atomic && old->later.atomic), old->disjoint) >=
                   rank(plain, disjoint))
      continue;
    RaceEvidence *evidence = variables_.AddEvidence(v);
    evidence->first = *o;
    evidence->later = *s;
    evidence->addr = granule + LeastSignificantSetBitIndex(v->mask);
    evidence->disjoint = disjoint;
  }
}

// The algorithm of Fig. 3, with happens-before applied to each access rather
// than to the variable as a whole: accesses that nothing conflicting may
// overlap, such as an initialization before other threads start, need no lock,
// and count neither in WriteSet(x) nor in ReadSets(x). (The latter need not be
// minimal: the answer is the same.)
void Commutativity::MultiLockSets(Variable *v) {
  LockSetId write_set = kAllLocks;
  for (const Sample *s = v->samples; s; s = s->next)
    if (s->write && s->contended)
      write_set = sets_.Intersect(write_set, s->locks);
  if (write_set == kAllLocks)
    return;
  bool bare_read = false;  // A read with none of the locks of all writes.
  for (const Sample *s = v->samples; s && !bare_read; s = s->next)
    bare_read =
        !s->write && s->contended && sets_.AreDisjoint(s->locks, write_set);
  const auto raced = [&](u8 writes, u8 read_write) {
    if (write_set == kNoLocks)
      return (v->flags & (writes | read_write)) != 0;
    return bare_read && (v->flags & read_write);
  };
  if (raced(kConcurrentWrites, kConcurrentReadWrite))
    v->flags |= kRaced;
  if (raced(kPlainWrites, kPlainReadWrite))
    v->flags |= kDataRace;
}

// The algorithm of Savage et al.: the set is refined from the second thread's
// first access on, and an empty one counts once there was a write since.
void Commutativity::Eraser(Variable *v, const AccessOf &a) {
  v->eraser_plain |= !a.atomic;
  if (v->eraser_set == kAllLocks) {
    if (!v->eraser_owner)
      v->eraser_owner = a.thread + 1;
    if (v->eraser_owner == a.thread + 1)
      return;
  }
  v->eraser_set = sets_.Intersect(v->eraser_set, a.locks);
  v->eraser_written |= a.write;
  if (v->eraser_set != kNoLocks || !v->eraser_written)
    return;
  v->flags |= kEraserRace;
  if (v->eraser_plain)
    v->flags |= kEraserDataRace;
}

void Commutativity::Number(Variable *v) {
  v->id = fates_.Size();
  *fates_.PushBack() = {{0, 0}, v->flags, v->race};
}

void Commutativity::Divided(Variable *v, Variable *part) {
  if (!v->id)
    return;
  const u32 whole = v->id;
  Number(v);
  Number(part);
  fates_[whole].parts[0] = v->id;
  fates_[whole].parts[1] = part->id;
}

void Commutativity::Keep(const Variable *v) {
  if (v->id) {
    fates_[v->id].flags = v->flags;
    fates_[v->id].race = v->race;
  }
}

}  // namespace __atsan
