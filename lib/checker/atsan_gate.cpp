//===-- atsan_gate.cpp ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When the gate is open: while it counts regions, or as long as it is left
// open.
//
// A region that finds it left open does not touch it, so that regions that meet
// nobody write no memory that others look at. What is paid for that are hooks
// of code outside regions, which would not be called while the gate is closed.
// So it is left open after some counted regions, on trial; and each thread
// looks, after so many hooks outside regions, whether there were enough regions
// meanwhile. If not, the gate counts again, for longer than before.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_graph_internal.h"
#include "lib/checker/atsan_page.h"

using namespace __atsan;

// Read by every test of the gate: it has a cache line for itself.
alignas(SANITIZER_CACHE_LINE_SIZE) u32 __atsan_gate;

namespace __atsan {

// Aligned, so that the gate's line ends before it.
alignas(SANITIZER_CACHE_LINE_SIZE) static u32 regions_before_opened;

// How many regions a thread counts before it leaves the gate open. Doubles each
// time that it was closed again at once.
#ifndef ATSAN_GATE_COUNTS
#define ATSAN_GATE_COUNTS 64
#endif
constexpr u32 kFirstPatience = ATSAN_GATE_COUNTS;
constexpr u32 kMostPatience = kFirstPatience << 8;
static u32 patience = kFirstPatience;

// After how many hooks outside regions a thread looks: at first, and at most if
// its looks change nothing.
#ifndef ATSAN_HOOKS_PER_LOOK
#define ATSAN_HOOKS_PER_LOOK 1024
#endif
constexpr u32 kFirstLook = ATSAN_HOOKS_PER_LOOK;
constexpr u32 kLastLook = kFirstLook << 6;

// Two locked instructions cost as much as so many hooks outside regions.
constexpr u32 kHooksPerRegion = 16;

// The trial has paid after so many regions that go without the gate.
constexpr u32 kWorthwhile = 2 * kFirstLook;

// How many regions all slots have begun: only differences mean something.
static u32 RegionsBegun() {
  u32 sum = 0;
  ForEachSlotWithRegions([&](SlotId slot) {
    sum += atomic_load(&slot_liveness[slot].begun, memory_order_relaxed);
  });
  return sum;
}

static bool IsAnyActive() {
  bool any = false;
  ForEachActive([&](SlotId, TxnIndex) { any = true; });
  return any;
}

static bool GateStays() {
  return __atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED) & kGateStays;
}

void GateCount(CheckerThread *thr) {
  if (PagesHaveOwners() && graph_options.gate_stays &&
      thr->regions_counted++ >= __atomic_load_n(&patience, __ATOMIC_RELAXED)) {
    thr->regions_counted = 0;
    GraphLock lock;
    if (!GateStays()) {
      regions_before_opened = RegionsBegun();
      __atomic_fetch_or(&__atsan_gate, kGateStays, __ATOMIC_SEQ_CST);
    }
    return;
  }
  thr->holds_gate = true;
  // For a report's words; no verdict depends on it. To read the clock takes as
  // long as half a region where the gate is left open.
  thr->began = __builtin_ia32_rdtsc() & ~(1ull << 63);
  __atomic_fetch_add(&__atsan_gate, 1, __ATOMIC_SEQ_CST);
}

void GateUncount(CheckerThread *thr) {
  thr->holds_gate = false;
  __atomic_fetch_sub(&__atsan_gate, 1, __ATOMIC_SEQ_CST);
}

// Makes the gate count from now on. False if a region is open that the gate has
// not counted.
static bool CountAgain() {
  if (IsAnyActive())
    return false;
  // The gate counts as for one region until it is known that there is none.
  __atomic_fetch_sub(&__atsan_gate, kGateStays - 1, __ATOMIC_SEQ_CST);
  FenceInAllThreads();
  const bool closes = !IsAnyActive();
  __atomic_fetch_add(&__atsan_gate, closes ? -1u : kGateStays - 1,
                     __ATOMIC_SEQ_CST);
  return closes;
}

void GateLook(CheckerThread *thr) {
  // Threads that are outside regions while others are in long ones do not take
  // the lock.
  if (!GateStays() && !IsReached(thr)) {
    thr->hooks_left = kFirstLook;
    return;
  }
  const u32 begun = RegionsBegun();
  const u32 lately = begun - thr->regions_seen;
  thr->regions_seen = begun;
  GraphLock lock;
  DropRowsOfEndedRegions();
  if (!thr->hooks_per_look || !GateStays()) {
    thr->hooks_per_look = kFirstLook;
  } else if (u64{lately} * kHooksPerRegion >= thr->hooks_per_look ||
             !CountAgain()) {
    thr->hooks_per_look = Min(2 * thr->hooks_per_look, kLastLook);
  } else {
    const bool paid = begun - regions_before_opened >= kWorthwhile;
    u32 next = paid ? kFirstPatience : Min(2 * patience, kMostPatience);
    __atomic_store_n(&patience, next, __ATOMIC_RELAXED);
    thr->hooks_per_look = kFirstLook;
  }
  thr->hooks_left = thr->hooks_per_look;
}

void GateReset() {
  __atsan_gate = 0;
  patience = kFirstPatience;
}

}  // namespace __atsan
