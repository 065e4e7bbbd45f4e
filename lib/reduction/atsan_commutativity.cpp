//===-- atsan_commutativity.cpp ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads, memory and locks of atsan_commutativity.h; its variables are in
// atsan_races.cpp.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_commutativity.h"

namespace __atsan {

Commutativity::~Commutativity() {
  for (uptr i = 1; i < locks_.Size(); i++) {
    locks_[i]->~LockFacts();
    InternalFree(locks_[i]);
  }
}

Commutativity::Thread *Commutativity::Get(u32 thread) {
  if (thread >= threads_.Size())
    threads_.Resize(thread + 1);
  Thread *t = &threads_[thread];
  if (UNLIKELY(!t->period))
    t->period = periods_.Current(thread).number;
  return t;
}

bool Commutativity::AreConcurrent(u32 other, u32 period, u32 thread) {
  return other != thread && !(options_.happens_before &&
                              periods_.IsBefore({other, period}, thread));
}

void Commutativity::Start(u32 thread, u32 child) {
  periods_.Start(thread, child);
  Get(thread)->period = 0;
  Get(child)->period = 0;
}

void Commutativity::Join(u32 thread, u32 ended) {
  periods_.Join(thread, ended);
  Get(thread)->period = 0;
  Get(ended)->period = 0;
}

void Commutativity::Arrive(u32 thread, uptr barrier, u32 parties) {
  periods_.Arrive(thread, barrier, parties);
  Get(thread)->period = 0;
}

void Commutativity::Leave(u32 thread, uptr barrier) {
  periods_.Leave(thread, barrier);
  Get(thread)->period = 0;
}

void Commutativity::Forget(u32 thread) {
  held_.Forget(thread);
  periods_.Forget(thread);
  if (thread < threads_.Size())
    threads_[thread] = {};
}

void Commutativity::Born(u32 thread, uptr addr, uptr size, bool is_stack) {
  variables_.Forget(addr, size);
  if (options_.escape)
    escapes_.Born(thread, addr, size, is_stack);
}

void Commutativity::Died(uptr addr, uptr size) {
  variables_.Forget(addr, size);
  if (options_.escape)
    escapes_.Died(addr, size);
}

void Commutativity::PointerStored(uptr word, uptr target) {
  if (options_.escape)
    escapes_.PointerStored(word, target);
}

LockId Commutativity::LockAt(uptr addr) {
  LockId &lock = lock_at_[addr & ~(1ull << 63)];  // Two keys are the map's own.
  if (lock)
    return lock;
  lock = locks_.Size();
  LockFacts *facts = new (InternalAlloc(sizeof(LockFacts))) LockFacts();
  facts->addr = addr;
  facts->protectors = kAllLocks;
  locks_.PushBack(facts);
  return lock;
}

void Commutativity::UseLock(LockFacts *facts, u32 thread, u32 period,
                            const EventPoint &at) {
  if (facts->shared_later.event)
    return;
  LockUse *mine = nullptr;
  for (uptr i = 0; i < facts->uses.Size(); i++) {
    LockUse *use = &facts->uses[i];
    if (use->thread == thread) {
      if (use->period == period)
        return;
      mine = use;
    } else if (AreConcurrent(use->thread, use->period, thread)) {
      facts->shared_first = *use;
      facts->shared_later = {at.event, thread, period, Locate(thread, at),
                             at.region};
      facts->uses.Reset();
      return;
    }
  }
  if (!mine)
    mine = facts->uses.PushBack();
  *mine = {at.event, thread, period, Locate(thread, at), at.region};
}

void Commutativity::HeldChanged(u32 thread) {
  Thread *t = Get(thread);
  t->held = t->held_exclusively = kNoLocks;
  const Vector<LockHold> &held = held_.Of(thread);
  for (uptr i = 0; i < held.Size(); i++) {
    const LockId lock = LockAt(held[i].lock);
    if (locks_[lock]->is_signal)
      continue;
    t->held = sets_.With(t->held, lock);
    if (held[i].IsExclusive())
      t->held_exclusively = sets_.With(t->held_exclusively, lock);
  }
}

LockId Commutativity::Acquire(u32 thread, uptr addr, bool shared,
                              const EventPoint &at, LockStep *step) {
  const LockId lock = LockAt(addr);
  LockFacts *facts = locks_[lock];
  *step = held_.Acquire(thread, addr, shared, at.event, 0);
  if (*step == LockStep::kOuter) {
    const Thread *t = Get(thread);
    UseLock(facts, thread, t->period, at);
    const LockSetId left =
        sets_.Intersect(facts->protectors, t->held_exclusively);
    if (left == kNoLocks && facts->protectors != kNoLocks)
      facts->unprotected = {at.event, thread, t->period, Locate(thread, at),
                            at.region};
    facts->protectors = left;
  }
  HeldChanged(thread);
  return lock;
}

LockId Commutativity::Release(u32 thread, uptr addr, bool shared,
                              const EventPoint &at, LockStep *step) {
  const LockId lock = LockAt(addr);
  const LockSetId before = Get(thread)->held_exclusively;
  *step = held_.Release(thread, addr, shared);
  if (*step == LockStep::kNotHeld) {
    LockFacts *facts = locks_[lock];
    facts->is_signal = true;
    facts->protectors = kNoLocks;
    UseLock(facts, thread, Get(thread)->period, at);
    for (uptr i = 0; i < threads_.Size(); i++)
      HeldChanged(i);
    return lock;
  }
  if (*step == LockStep::kOuter)
    UseLock(locks_[lock], thread, Get(thread)->period, at);
  HeldChanged(thread);
  if (Get(thread)->held_exclusively == before)
    return lock;
  // The released lock protects no lock that is still held.
  const Vector<LockHold> &held = held_.Of(thread);
  for (uptr i = 0; i < held.Size(); i++) {
    LockFacts *inner = locks_[LockAt(held[i].lock)];
    if (inner->protectors == kNoLocks || inner == locks_[lock])
      continue;
    inner->protectors = sets_.Without(inner->protectors, lock);
    if (inner->protectors == kNoLocks)
      inner->unprotected = {at.event, thread, Get(thread)->period,
                            Locate(thread, at), at.region};
  }
  return lock;
}

}  // namespace __atsan
