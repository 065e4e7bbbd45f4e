//===-- atsan_atomic.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brackets around atomic operations. The operation stays in place between enter
// and exit; a lock over both makes it and its analysis one event (rule 8).
//
// The lock is taken even while the gate is closed. "No region is active" must
// be decided together with the operation: otherwise a region could begin in
// between, read the old value, and then see the new one without an event for
// the change. With the lock, a region begun meanwhile finds the operation done.
//
//===----------------------------------------------------------------------===//
#include "runtime/threads/atsan_atomic.h"

#include "runtime/report/atsan_held.h"
#include "runtime/stream/atsan_observer.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {
namespace {

// Granules of 16 bytes, so that nothing that fits into one needs two stripes.
constexpr u32 kGranuleShift = 4;
constexpr u32 kStripeBits = 10;
constexpr u32 kNumStripes = 1 << kStripeBits;

// Names its owner, in the same step in which it is taken: a signal may come,
// and its handler jump away, between any two instructions.
struct alignas(SANITIZER_CACHE_LINE_SIZE) Stripe {
  atomic_uint32_t owner;  // 0: no owner.
};
Stripe stripes[kNumStripes];

// Values of Thread::atomic_depth.
enum Depth : u32 { kOutside = 0, kInside = 1 };

enum Token : u32 { kNothing = 0, kUnlockOnly = 1, kAnalyse = 2 };

u16 StripeOf(uptr addr) {
  // Fibonacci hashing: neighbouring granules get distant stripes.
  u64 granule = addr >> kGranuleShift;
  return (granule * 0x9e3779b97f4a7c15ull) >> (64 - kStripeBits);
}

AccessKind ToAccessKind(u32 kind) {
  switch (kind) {
    case kAtomicRead:
    case kFailedExchange:
      return AccessKind::kAtomicRead;
    case kAtomicWrite:
      return AccessKind::kAtomicWrite;
    default:
      return AccessKind::kAtomicRmw;
  }
}

u32 OwnerId(const Thread *thr) { return thr->tid + 1; }

void Take(Stripe *stripe, u32 owner) {
  constexpr u32 kBusyRounds = 10;
  for (u32 round = 0;; round++) {
    u32 nobody = 0;
    if (LIKELY(atomic_compare_exchange_strong(&stripe->owner, &nobody, owner,
                                              memory_order_acquire)))
      return;
    if (round < kBusyRounds)
      proc_yield(10);
    else
      internal_sched_yield();
  }
}

void GiveBack(Stripe *stripe) {
  atomic_store(&stripe->owner, 0, memory_order_release);
}

void TakeStripes(Thread *thr, uptr addr, uptr size) {
  u16 a = StripeOf(addr);
  u16 b = StripeOf(addr + size - 1);
  thr->first_stripe = Min(a, b);
  thr->last_stripe = Max(a, b);
  thr->atomic_depth = kInside;
  // The signal handlers of this thread must see the above.
  atomic_signal_fence(memory_order_seq_cst);
  Take(&stripes[thr->first_stripe], OwnerId(thr));
  if (UNLIKELY(a != b))
    Take(&stripes[thr->last_stripe], OwnerId(thr));
}

void GiveBackStripes(Thread *thr) {
  GiveBack(&stripes[thr->first_stripe]);
  if (UNLIKELY(thr->first_stripe != thr->last_stripe))
    GiveBack(&stripes[thr->last_stripe]);
  atomic_signal_fence(memory_order_seq_cst);
  thr->atomic_depth = kOutside;
  SignalsDeliver(thr);
}

}  // namespace

u32 AtomicEnter(uptr addr, uptr size) {
  Thread *thr = CurrentAccessingThread();
  // A signal handler that interrupts a bracket may meet the very same stripe.
  if (UNLIKELY(!thr || thr->atomic_depth != kOutside))
    return kNothing;
  TakeStripes(thr, addr, size);
  return GateIsOpen() ? kAnalyse : kUnlockOnly;
}

void AtomicExit(uptr addr, uptr size, u32 kind, u32 token,
                const AccessPoint &at) {
  Thread *thr = cur_thread;
  if (UNLIKELY(token == kAnalyse) && kind != kFailedUpdate) {
    ReportHeldViolation(thr);
    ScopedInRuntime in_runtime(thr);
    thr->in_failed_exchange = kind == kFailedExchange;
    AccessHappens(thr, addr, size, ToAccessKind(kind), at);
    if (IsObserved() && IsWrite(ToAccessKind(kind)))
      ObservePointers(thr, addr, size, at);
    thr->in_failed_exchange = false;
  }
  GiveBackStripes(thr);
}

void AtomicUnwind(Thread *thr, u32 depth) {
  if (thr->atomic_depth <= depth)
    return;
  const u16 held[] = {thr->first_stripe, thr->last_stripe};
  for (u16 i : held)
    if (atomic_load(&stripes[i].owner, memory_order_relaxed) == OwnerId(thr))
      GiveBack(&stripes[i]);
  thr->atomic_depth = depth;
}

void AtomicAfterForkInChild() {
  for (Stripe &stripe : stripes)
    atomic_store(&stripe.owner, 0, memory_order_relaxed);
}

}  // namespace __atsan

using namespace __atsan;

extern "C" {

SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_atomic_enter(void *addr, uptr size) {
  return AtomicEnter(reinterpret_cast<uptr>(addr), size);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_atomic_exit(void *addr, uptr size,
                                                       u32 kind, u32 token) {
  AtomicExit(reinterpret_cast<uptr>(addr), size, kind, token,
             ATSAN_CALLER_POINT());
}

}  // extern "C"
