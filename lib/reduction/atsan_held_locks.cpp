//===-- atsan_held_locks.cpp ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bookkeeping of atsan_held_locks.h.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_held_locks.h"

#include "lib/reduction/atsan_placement_new.h"

namespace __atsan {

HeldLocks::~HeldLocks() {
  for (uptr i = 0; i < threads_.Size(); i++)
    Forget(i);
}

const Vector<LockHold> &HeldLocks::Of(u32 thread) {
  if (thread >= threads_.Size())
    threads_.Resize(thread + 1);
  if (UNLIKELY(!threads_[thread]))
    threads_[thread] =
        new (InternalAlloc(sizeof(Vector<LockHold>))) Vector<LockHold>();
  return *threads_[thread];
}

void HeldLocks::Forget(u32 thread) {
  if (thread >= threads_.Size() || !threads_[thread])
    return;
  threads_[thread]->~Vector<LockHold>();
  InternalFree(threads_[thread]);
  threads_[thread] = nullptr;
}

LockHold *HeldLocks::Find(Vector<LockHold> *held, u64 lock) {
  for (uptr i = 0; i < held->Size(); i++)
    if ((*held)[i].lock == lock)
      return &(*held)[i];
  return nullptr;
}

void HeldLocks::Remove(Vector<LockHold> *held, const LockHold *which) {
  for (uptr i = which - &(*held)[0]; i + 1 < held->Size(); i++)
    (*held)[i] = (*held)[i + 1];
  held->PopBack();
}

LockStep HeldLocks::Acquire(u32 thread, u64 lock, bool shared, u64 acquisition,
                            u32 location) {
  Of(thread);
  Vector<LockHold> *held = threads_[thread];
  LockHold *h = Find(held, lock);
  const bool outer = !h;
  if (outer) {
    h = held->PushBack();
    h->lock = lock;
    h->acquisition = acquisition;
    h->location = location;
  }
  (shared ? h->shared : h->exclusive)++;
  return outer ? LockStep::kOuter : LockStep::kInner;
}

LockStep HeldLocks::Release(u32 thread, u64 lock, bool shared,
                            LockHold *released) {
  Of(thread);
  Vector<LockHold> *held = threads_[thread];
  LockHold *h = Find(held, lock);
  if (!h) {
    for (uptr i = 0; i < threads_.Size(); i++)
      if (threads_[i])
        if (LockHold *other = Find(threads_[i], lock))
          if (other->IsExclusive() != shared)
            Remove(threads_[i], other);
    return LockStep::kNotHeld;
  }
  if (released)
    *released = *h;
  // Some interfaces release both kinds by one function.
  u32 *count = shared ? &h->shared : &h->exclusive;
  if (!*count)
    count = shared ? &h->exclusive : &h->shared;
  --*count;
  if (h->shared + h->exclusive)
    return LockStep::kInner;
  Remove(held, h);
  return LockStep::kOuter;
}

}  // namespace __atsan
