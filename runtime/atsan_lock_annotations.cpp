//===-- atsan_lock_annotations.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursion counts and order edges of annotated locks.
//
//===----------------------------------------------------------------------===//
#include "atsan_lock_annotations.h"

#include "atsan_critical_section.h"
#include "atsan_flags.h"

namespace __atsan {
namespace {

// In the ABI: see sanitizer/atsan_interface.h, which a runtime that is itself
// not instrumented cannot include.
enum LockFlags : u32 {
  kLinkerInit = 1 << 0,
  kReadLock = 1 << 3,
  kTryLockFailed = 1 << 5,
  kRecursiveLock = 1 << 6,
  kRecursiveUnlock = 1 << 7,
};

constexpr uptr kLockSize = 4;

LockMode ModeOf(u32 how) {
  return how & kReadLock ? LockMode::kShared : LockMode::kExclusive;
}

uptr FindHeld(Thread *thr, uptr addr) {
  uptr i = 0;
  while (i < thr->held_locks.size() && thr->held_locks[i].addr != addr)
    i++;
  return i;
}

void ForgetLock(void *addr) {
  if (!GateIsOpen())
    return;
  ScopedInRuntime in_runtime(cur_thread);
  CheckerForget(reinterpret_cast<uptr>(addr), kLockSize);
}

}  // namespace

void LockCodeBegin(Thread *thr) { thr->ignore_accesses++; }

void LockCodeEnd(Thread *thr) {
  if (thr->ignore_accesses)
    thr->ignore_accesses--;
}

void LockCreated(void *addr) { ForgetLock(addr); }

void LockDestroyed(void *addr, u32 how) {
  if (!(how & kLinkerInit))
    ForgetLock(addr);
}

void LockAcquired(Thread *thr, void *addr, u32 how, int recursion,
                  const AccessPoint &at) {
  if (how & kTryLockFailed)
    return;
  ScopedInRuntime in_runtime(thr);
  uptr lock = reinterpret_cast<uptr>(addr);
  u32 levels = (how & kRecursiveLock) && recursion > 0 ? recursion : 1;
  uptr i = FindHeld(thr, lock);
  if (i < thr->held_locks.size()) {
    thr->held_locks[i].count += levels;
    return;
  }
  thr->held_locks.push_back({lock, levels});
  SectionLockTaken(thr, addr, at);
  if (flags()->lock_edges && GateIsOpen())
    CheckerAcquire(&thr->checker, lock, ModeOf(how), at);
}

int LockReleased(Thread *thr, void *addr, u32 how, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  uptr lock = reinterpret_cast<uptr>(addr);
  uptr i = FindHeld(thr, lock);
  u32 levels = 1;
  // A lock may be given back by another thread than the one that took it.
  if (i < thr->held_locks.size()) {
    HeldLock *held = &thr->held_locks[i];
    levels = how & kRecursiveUnlock ? held->count : 1;
    held->count -= levels;
    if (held->count)
      return levels;
    *held = thr->held_locks.back();
    thr->held_locks.pop_back();
    SectionLockGivenBack(thr, addr);
  }
  if (flags()->lock_edges && GateIsOpen())
    CheckerRelease(&thr->checker, lock, ModeOf(how), at);
  return levels;
}

}  // namespace __atsan
