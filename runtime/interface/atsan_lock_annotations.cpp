//===-- atsan_lock_annotations.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursion counts and order edges of annotated locks, and order that is
// annotated without a lock.
//
//===----------------------------------------------------------------------===//
#include "runtime/interface/atsan_lock_annotations.h"

#include "runtime/options/atsan_flags.h"
#include "runtime/regions/atsan_critical_section.h"
#include "runtime/stream/atsan_observer.h"

namespace __atsan {
namespace {

constexpr uptr kLockSize = 4;

LockMode ModeOf(u32 how) {
  return how & kReadLock ? LockMode::kShared : LockMode::kExclusive;
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
  for (u32 level = 0; level < levels; level++)
    ObserveAcquire(thr, lock, ModeOf(how), at);
  if (!thr->annotated_locks.Take(lock, levels))
    return;
  SectionLockTaken(thr, addr, at);
  if (flags()->lock_edges && GateIsOpen())
    CheckerAcquire(&thr->checker, lock, ModeOf(how), at);
}

int LockReleased(Thread *thr, void *addr, u32 how, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  uptr lock = reinterpret_cast<uptr>(addr);
  // A lock may be given back by another thread than the one that took it.
  HeldLock *held = thr->annotated_locks.Find(lock);
  u32 levels = held && (how & kRecursiveUnlock) ? held->count : 1;
  for (u32 level = 0; level < levels; level++)
    ObserveRelease(thr, lock, ModeOf(how), at);
  if (held) {
    if (!thr->annotated_locks.GiveBack(held, levels))
      return levels;
    SectionLockGivenBack(thr, addr);
  }
  if (flags()->lock_edges && GateIsOpen())
    CheckerRelease(&thr->checker, lock, ModeOf(how), at);
  return levels;
}

// The checker keeps the order of a lock in a granule of its own.
static uptr OrderObject(void *addr) {
  return RoundDownTo(reinterpret_cast<uptr>(addr), kLockSize);
}

void OrderAcquire(Thread *thr, void *addr, const AccessPoint &at) {
  Observe(thr, EventKind::HappensAfter, reinterpret_cast<uptr>(addr), at);
  if (!flags()->lock_edges || !GateIsOpen())
    return;
  ScopedInRuntime in_runtime(thr);
  CheckerAcquire(&thr->checker, OrderObject(addr), LockMode::kShared, at);
}

void OrderRelease(Thread *thr, void *addr, const AccessPoint &at) {
  Observe(thr, EventKind::HappensBefore, reinterpret_cast<uptr>(addr), at);
  if (!flags()->lock_edges || !GateIsOpen())
    return;
  ScopedInRuntime in_runtime(thr);
  CheckerRelease(&thr->checker, OrderObject(addr), LockMode::kExclusive, at);
}

static void Ignore(Thread *thr, u32 *mine, const u32 &other, int step) {
  if (step < 0 && !*mine)
    return;
  bool ignored_before = *mine && other;
  *mine += step;
  bool ignored = *mine && other;
  if (ignored && !ignored_before)
    LockCodeBegin(thr);
  else if (!ignored && ignored_before)
    LockCodeEnd(thr);
}

void IgnoreReads(Thread *thr, int step) {
  Ignore(thr, &thr->ignore_reads, thr->ignore_writes, step);
}

void IgnoreWrites(Thread *thr, int step) {
  Ignore(thr, &thr->ignore_writes, thr->ignore_reads, step);
}

}  // namespace __atsan
