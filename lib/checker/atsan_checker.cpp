//===-- atsan_checker.cpp ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checker's events, put together from granules (atsan_access.h) and the
// graph (atsan_graph.h).
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_checker.h"

#include "lib/checker/atsan_access.h"
#include "lib/checker/atsan_array.h"
#include "lib/checker/atsan_detail.h"
#include "lib/checker/atsan_graph_internal.h"
#include "lib/checker/atsan_quick.h"
#include "lib/checker/atsan_range.h"
#include "lib/checker/atsan_read_log.h"

namespace __atsan {

void CheckerInit(const CheckerOptions &options) {
  if (!shadow_leaves)
    ShadowInit();
  PageInit();
  GraphInit(options);
}

void CheckerReset() {
  // In the child of a fork the other threads are no more, and at work nowhere.
  const u32 slots_used = atomic_load(&num_slots, memory_order_relaxed);
  for (u32 slot = 0; slot < slots_used; slot++)
    atomic_store(&cell_work[slot].page, 0, memory_order_relaxed);
  ShadowReset();
  DetailReset();
  ReadLogsReset();
  GraphReset();
}

static EventContext MakeEvent(CheckerThread *thr, const AccessPoint &at,
                              AccessKind kind, uptr addr, uptr size) {
  if (UNLIKELY(!thr->active && GraphNeedsRollOver(thr)))
    GraphRollOver(thr);
  thr->has_run = true;
  EventContext ev = {};
  ev.thr = thr;
  ev.at = &at;
  ev.addr = addr;
  ev.size = size;
  ev.kind = kind;
  return ev;
}

// Every event ends here: reports the cycle that it closed.
static void FinishEvent(EventContext *ev) {
  if (LIKELY(!ev->closed))
    return;
  const auto &edges = ev->thr->cycle;
  OnViolation(ev->thr, {edges.data(), edges.size(), ev->summarized});
}

// --- Threads. ----------------------------------------------------------------

void CheckerThreadCreate(CheckerThread *parent, const AccessPoint &at,
                         CheckerThread *child, u32 child_tid) {
  GraphAttach(child, child_tid);
  if (!parent)
    return;
  // The edge enters the child, but the location is the parent's.
  EventContext ev = MakeEvent(parent, at, AccessKind::kThreadStart, 0, 0);
  TxnRef start = {parent->slot, parent->index};
  if (!IsLive(start))
    return;
  LocId loc = ev.Loc();
  ev.thr = child;
  ev.fresh = true;
  GraphAddEdge(&ev, start, loc, 0);
}

EndedThread CheckerThreadEnd(CheckerThread *thr, bool will_be_joined) {
  if (thr->active)
    GraphEnd(thr);
  EndedThread ended = {{thr->slot, thr->index}, thr->tid, thr->has_run};
  GraphDetach(thr, will_be_joined);
  thr->cycle.Destroy();
  thr->cycle = {};
  return ended;
}

void CheckerThreadJoin(CheckerThread *thr, const AccessPoint &at,
                       const EndedThread &ended) {
  EventContext ev = MakeEvent(thr, at, AccessKind::kThreadJoin, 0, 0);
  if (ended.has_run && IsLive(ended.last) && !IsImplied(thr, ended.last))
    GraphAddEdge(&ev, ended.last, /*src_loc=*/0, 0);
  GraphReleaseJoined(ended.last);
  FinishEvent(&ev);
}

void CheckerThreadDetach(const EndedThread &ended) {
  GraphReleaseJoined(ended.last);
}

// --- Regions. ----------------------------------------------------------------

void CheckerRegionBegin(CheckerThread *thr) { GraphBegin(thr); }
void CheckerRegionEnd(CheckerThread *thr) { GraphEnd(thr); }

// --- Accesses. ---------------------------------------------------------------

static void AccessRange(EventContext *ev, uptr addr, uptr size) {
  ForEachGranule(addr, size, [&](uptr g, u32 bytes) {
    AccessGranule(ev, g, bytes, IsWrite(ev->kind), AccessPart::kEdgesAndRecord);
  });
}

// Does the access of all bytes of a range inside a region.
static void AccessRangeInRegion(EventContext *ev, uptr addr, uptr size) {
  uptr end = addr + size;
  if (!HasShadow(addr) || !HasShadow(end - 1))
    return;
  while (addr < end) {
    addr = RecordRange(ev->thr, ev->Loc(), addr, end, IsWrite(ev->kind));
    if (addr < end) {
      uptr next = Min(RoundDownTo(addr, kGranule) + kGranule, end);
      AccessRange(ev, addr, next - addr);
      addr = next;
    }
  }
}

// A big block is freed without a look at pages that nobody has accessed, which
// would take memory for all of it: no access before the free needs that, and
// one after it is undefined (docs/semantics.md, rule 9).
constexpr uptr kBigBlock = 1 << 16;

static void FreeBigBlock(CheckerThread *thr, uptr addr, uptr size,
                         const AccessPoint &at) {
  if (!HasShadow(addr) || !HasShadow(addr + size - 1))
    return;
  EventContext ev = MakeEvent(thr, at, AccessKind::kFree, addr, size);
  if (thr->active) {
    ForEachTouchedPage(addr, addr + size, [&](uptr from, uptr to) {
      AccessRangeInRegion(&ev, from, to - from);
    });
  } else if (!IsIrrelevantOutside(thr, addr, size, /*is_write=*/true)) {
    // All edges that enter the transaction come before it is recorded.
    constexpr AccessPart kParts[] = {AccessPart::kEdgesOnly,
                                     AccessPart::kEdgesAndRecord};
    for (AccessPart part : kParts)
      ForEachTouchedPage(addr, addr + size, [&](uptr from, uptr to) {
        ForEachGranule(from, to - from, [&](uptr g, u32 bytes) {
          AccessGranule(&ev, g, bytes, /*is_write=*/true, part);
        });
      });
  }
  FinishEvent(&ev);
}

// Does the accesses of rows inside a region.
static void AccessRows(EventContext *ev, uptr first, uptr bytes, sptr stride,
                       uptr rows) {
  for (uptr i = 0; i < rows; i++) {
    i += RecordRows(ev, first + i * stride, bytes, stride, rows - i,
                    IsWrite(ev->kind));
    if (i < rows)
      AccessRangeInRegion(ev, first + i * stride, bytes);
  }
}

void CheckerAccessInRegion(CheckerThread *thr, uptr addr, uptr size,
                           AccessKind kind, const AccessPoint &at, LocId loc) {
  EventContext ev = MakeEvent(thr, at, kind, addr, size);
  ev.loc = loc;
  AccessRange(&ev, addr, size);
  FinishEvent(&ev);
}

// Does the rest of a range, from `next` on, whose granule RecordRange has
// refused.
static void AnalyseRest(EventContext *ev, uptr next, uptr end) {
  const uptr other = Min(RoundDownTo(next, kGranule) + kGranule, end);
  AccessRange(ev, next, other - next);
  AccessRangeInRegion(ev, other, end - other);
  FinishEvent(ev);
}

void CheckerRangeInRegion(CheckerThread *thr, uptr addr, uptr size,
                          AccessKind kind, const AccessPoint &at, LocId loc) {
  const uptr end = addr + size;
  if (UNLIKELY(!HasShadow(addr | (end - 1))))
    return;
  const uptr next = RecordRange(thr, loc, addr, end, IsWrite(kind));
  if (LIKELY(next == end))
    return;
  EventContext ev = MakeEvent(thr, at, kind, addr, size);
  ev.loc = loc;
  AnalyseRest(&ev, next, end);
}

// An access outside regions.
static void AccessAlone(CheckerThread *thr, uptr addr, uptr size,
                        AccessKind kind, const AccessPoint &at) {
  CountHookOutside(thr);
  EventContext ev = MakeEvent(thr, at, kind, addr, size);
  bool is_write = IsWrite(kind);
  if (IsIrrelevantOutside(thr, addr, size, is_write))
    return;
  // A unary access is one transaction: all edges that enter it, through
  // whatever granule, must be known before any granule records it.
  if (addr / kGranule != (addr + size - 1) / kGranule)
    ForEachGranule(addr, size, [&](uptr g, u32 bytes) {
      AccessGranule(&ev, g, bytes, is_write, AccessPart::kEdgesOnly);
    });
  AccessRange(&ev, addr, size);
  FinishEvent(&ev);
}

static bool IsKnownAs(AccessKind kind, const CheckerThread *thr, uptr addr,
                      uptr size) {
  return IsWrite(kind) ? IsKnown<true>(thr, addr, size)
                       : IsKnown<false>(thr, addr, size);
}

static void AccessOnceInRegion(CheckerThread *thr, uptr addr, uptr size,
                               AccessKind kind, const AccessPoint &at,
                               LocId loc) {
  if (addr % kGranule + size > kGranule || !HasShadow(addr))
    CheckerRangeInRegion(thr, addr, size, kind, at, loc);
  else if (!(IsWrite(kind) ? RecordPart<true> : RecordPart<false>)(thr, addr,
                                                                   size, loc))
    CheckerAccessInRegion(thr, addr, size, kind, at, loc);
}

void CheckerAccess(CheckerThread *thr, uptr addr, uptr size, AccessKind kind,
                   const AccessPoint &at) {
  if (UNLIKELY(size == 0))
    return;
  if (UNLIKELY(kind == AccessKind::kFree && size >= kBigBlock))
    FreeBigBlock(thr, addr, size, at);
  else if (!thr->active)
    AccessAlone(thr, addr, size, kind, at);
  else if (!IsKnownAs(kind, thr, addr, size))
    AccessOnceInRegion(thr, addr, size, kind, at,
                       InternLocation(thr, at, kind, size));
}

void CheckerAccessStrided(CheckerThread *thr, uptr first, uptr size,
                          sptr stride, uptr count, AccessKind kind,
                          const AccessPoint &at, LocId loc) {
  // Outside regions each access is a transaction of its own.
  if (!thr->active) {
    CountHookOutside(thr);
    sptr all = stride * (static_cast<sptr>(count) - 1);
    if (IsIrrelevantOutside(thr, first + Min<sptr>(all, 0),
                            Max(all, -all) + size, IsWrite(kind)))
      return;
    for (uptr i = 0; i < count; i++)
      CheckerAccess(thr, first + i * stride, size, kind, at);
    return;
  }
  const bool is_down = -stride == static_cast<sptr>(size);
  const bool is_range = count && (is_down || stride == static_cast<sptr>(size));
  const uptr begin = is_down ? first - size * (count - 1) : first;
  const uptr end = begin + size * count;
  uptr next = begin;
  if (is_range) {
    if (!HasShadow(begin | (end - 1)))
      return;
    if (!loc) {
      if (IsKnownAs(kind, thr, begin, end - begin))
        return;
      loc = InternLocation(thr, at, kind, size);
    }
    next = RecordRange(thr, loc, begin, end, IsWrite(kind));
    if (LIKELY(next == end))
      return;
  }
  EventContext ev = MakeEvent(thr, at, kind, first, size);
  ev.stride = stride;
  ev.count = count;
  ev.loc = loc;
  if (is_range)
    return AnalyseRest(&ev, next, end);
  AccessRows(&ev, first, size, stride, count);
  FinishEvent(&ev);
}

void CheckerAccessRows(CheckerThread *thr, uptr first, uptr size, uptr width,
                       sptr stride, uptr rows, AccessKind kind,
                       const AccessPoint &at) {
  // Rows without gaps are a range.
  if (stride == static_cast<sptr>(size * width))
    return CheckerAccessStrided(thr, first, size, size, rows * width, kind, at);
  if (!thr->active) {
    for (uptr i = 0; i < rows * width; i++)
      CheckerAccess(thr, first + i / width * stride + i % width * size, size,
                    kind, at);
    return;
  }
  EventContext ev = MakeEvent(thr, at, kind, first, size);
  ev.stride = stride;
  ev.count = rows;
  ev.width = width;
  AccessRows(&ev, first, size * width, stride, rows);
  FinishEvent(&ev);
}

// --- Locks. ------------------------------------------------------------------

// An exclusive release is a write of the lock's first byte, a shared one a read
// of its second. Acquisitions receive edges and leave no trace: what happens
// later in the thread carries the order on. Releases leave a trace and receive
// no edges: they come after an acquisition.
constexpr u32 kExclusiveByte = 1;
constexpr u32 kSharedByte = 2;

void CheckerAcquire(CheckerThread *thr, uptr addr, LockMode mode,
                    const AccessPoint &at) {
  EventContext ev = MakeEvent(thr, at, AccessKind::kLockAcquire, addr, 1);
  uptr g = RoundDownTo(addr, kGranule);
  u32 shift = addr - g;
  AccessGranule(&ev, g, kExclusiveByte << shift, /*is_write=*/false,
                AccessPart::kEdgesOnly);
  if (mode == LockMode::kExclusive) {
    AccessGranule(&ev, g, kSharedByte << shift, /*is_write=*/true,
                  AccessPart::kEdgesOnly);
    // Every later acquisition is ordered after this one.
    CheckerForget(thr, addr + 1, 1);
  }
  FinishEvent(&ev);
}

void CheckerRelease(CheckerThread *thr, uptr addr, LockMode mode,
                    const AccessPoint &at) {
  EventContext ev = MakeEvent(thr, at, AccessKind::kLockRelease, addr, 1);
  uptr g = RoundDownTo(addr, kGranule);
  bool exclusive = mode == LockMode::kExclusive;
  AccessGranule(&ev, g,
                (exclusive ? kExclusiveByte : kSharedByte) << (addr - g),
                exclusive, AccessPart::kRecordOnly);
  FinishEvent(&ev);
}

// --- Fork and figures. -------------------------------------------------------

void CheckerLockForFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  slots_mutex.Lock();
  // A change of ownership waits for a thread that may wait for the graph.
  unseen_mutex.Lock();
  page_mutex.Lock();
  graph_mutex.Lock();
  leaf_mutex.Lock();
  pool_mutex.Lock();
  mixed_mutex.Lock();
  arrays_mutex.Lock();
}

void CheckerUnlockAfterFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  arrays_mutex.Unlock();
  mixed_mutex.Unlock();
  pool_mutex.Unlock();
  leaf_mutex.Unlock();
  graph_mutex.Unlock();
  page_mutex.Unlock();
  unseen_mutex.Unlock();
  slots_mutex.Unlock();
}

void CheckerLimitRows(uptr more_bytes) { LimitArrays(more_bytes); }
bool CheckerRowsAreFull() { return ArraysAreFull(); }

uptr CheckerShadowNeeded(uptr addr, uptr size) {
  uptr fresh = size;
  ForEachTouchedPage(addr, addr + size,
                     [&](uptr from, uptr to) { fresh -= to - from; });
  // Cells and locations are as large as the memory that they are of.
  return 2 * fresh + fresh / kShadowPage * sizeof(Page);
}

CheckerStats CheckerGetStats() {
  CheckerStats stats = {};
  GraphFillStats(&stats);
  stats.shadow_bytes = ShadowMappedBytes();
  stats.detail_blocks = DetailBlocksInUse();
  return stats;
}

}  // namespace __atsan
