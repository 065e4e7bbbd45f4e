//===-- atsan_graph.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The summarized conflict graph (CAV'08, section 3.1): what each active
// transaction reaches in the conflict graph of the run.
//
// Transactions of a slot are ordered, and whoever reaches one reaches all later
// ones. So a row of numbers says everything about an active transaction A:
//
//   first(A, u) = the earliest transaction of slot u that A reaches
//
// An edge from S into the current transaction T closes a cycle exactly if
// first(T, slot of S) <= index of S. Otherwise every active transaction that
// reaches S now also reaches what T reaches. A completed transaction that no
// active one reaches (it is not *live*) can never be on a cycle, because edges
// only ever enter current transactions; so its traces are as good as none.
//
// Beside each number stands the edge that brought it about. Following these
// edges backwards gives the whole cycle, so that a report costs memory in the
// order of rows x slots and not of the run's length.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_GRAPH_H
#define ATSAN_GRAPH_H

#include "lib/checker/atsan_checker.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

// The smallest index of a slot that an active transaction reaches: one number
// for the slot's own active transaction, one for those of other slots.
// Lowered only by the slot's own thread (edges enter current transactions), so
// what a thread has stored in the shadow is never live before this says so.
struct alignas(SANITIZER_CACHE_LINE_SIZE) SlotLiveness {
  atomic_uint32_t own_min;
  atomic_uint32_t foreign_min;
  atomic_uint32_t begun;  // The index of the last region.
};
extern ATSAN_HIDDEN SlotLiveness slot_liveness[kMaxSlots];

// Counts the times that indices of used-up slots started anew.
extern ATSAN_HIDDEN atomic_uint32_t index_epoch;

// The latest transactions, of several slots, that the thread has found dead:
// earlier ones of the same slots are dead, too, and stay so. Others'
// SlotLiveness changes with each of their regions, and to look at it is to take
// the cache line from them.
struct KnownDead {
  // Slots with the same remainder share a place.
  static constexpr u32 kSlots = 32;
  u32 epoch;           // The index_epoch of `latest`.
  u64 latest[kSlots];  // Slot and index, as in a cell.

  bool IsUpToDate() const {
    return epoch == atomic_load(&index_epoch, memory_order_acquire);
  }
  // Is the cell's transaction among the dead ones? False for what is no
  // transaction. Two slots that share a place are at least kSlots apart, so
  // that what lies between their transactions has more than 32 bits.
  bool Has(Cell c) const {
    return (latest[(c >> kSlotShift) % kSlots] - (c >> kIndexShift)) >> 32 == 0;
  }
  bool Includes(TxnRef t) {
    if (UNLIKELY(!IsUpToDate())) {
      internal_memset(latest, 0, sizeof(latest));
      epoch = atomic_load(&index_epoch, memory_order_acquire);
    }
    return Has(MakeCell(t.slot, t.index));
  }
  void Include(TxnRef t) {
    latest[t.slot % kSlots] = MakeCell(t.slot, t.index) >> kIndexShift;
  }
};
extern ATSAN_HIDDEN
    __attribute__((tls_model("initial-exec"))) THREADLOCAL KnownDead known_dead;

// May the transaction still take part in a cycle? Once false, false forever
// (for a completed transaction). Needs no lock.
inline bool IsLiveNow(TxnRef t) {
  const SlotLiveness &l = slot_liveness[t.slot];
  return t.index >= atomic_load(&l.own_min, memory_order_relaxed) ||
         t.index >= atomic_load(&l.foreign_min, memory_order_relaxed);
}

// May the transaction still take part in a cycle? For where a function may be
// called, as by a thread that has locked the cell.
inline bool IsLive(TxnRef t) {
  if (known_dead.Includes(t))
    return false;
  const SlotLiveness &l = slot_liveness[t.slot];
  // Acquire: what is before the slot's active region has lowered foreign_min.
  TxnIndex own = atomic_load(&l.own_min, memory_order_acquire);
  TxnIndex foreign = atomic_load(&l.foreign_min, memory_order_relaxed);
  if (t.index >= Min(own, foreign))
    return true;
  // Without an active region nothing tells how far the slot has come.
  known_dead.Include(
      {t.slot, own == kNoIndex ? t.index : Min(own, foreign) - 1});
  return false;
}
inline TxnRef TxnOf(Cell c) { return {SlotOf(c), IndexOf(c)}; }

// Is the cell that of a dead transaction, as far as the thread knows without a
// look, and without a call?
ALWAYS_INLINE bool IsKnownDead(Cell c) {
  return LIKELY(known_dead.IsUpToDate()) && LIKELY(known_dead.Has(c));
}

// Does some active transaction of another slot reach the transaction?
inline bool IsReachedFromOutside(SlotId slot, TxnIndex index) {
  return index >=
         atomic_load(&slot_liveness[slot].foreign_min, memory_order_relaxed);
}
inline bool IsReached(const CheckerThread *thr) {
  return IsReachedFromOutside(thr->slot, thr->index);
}

// One event of a thread while it is processed. All edges that enter a unary
// event enter the same, fresh transaction.
struct EventContext {
  CheckerThread *thr;
  const AccessPoint *at;
  uptr addr;
  uptr size;
  // If count > 1: accesses of `size` bytes each, at addr, addr + stride, ...;
  // if width > 1, at each of these places so many, one next to the other.
  sptr stride;
  uptr count;
  uptr width;
  AccessKind kind;
  bool fresh;       // The unary transaction has its own index already.
  bool closed;      // A cycle was found; further ones are not looked for.
  bool summarized;  // See Cycle.
  LocId loc;        // 0 until needed.

  LocId Loc() {
    if (!loc)
      loc = InternLocation(thr, *at, kind, size);
    return loc;
  }
  // Where the access of this byte begins.
  uptr BeginOf(uptr byte) const {
    uptr begin = addr;
    if (count > 1 && stride) {
      sptr distance = byte - addr;
      sptr i = stride > 0 ? distance / stride
                          : (distance + stride + 1) / stride;  // Rounded up.
      begin += Max<sptr>(0, Min<sptr>(i, count - 1)) * stride;
    }
    return width > 1 ? begin + (byte - begin) / size * size : begin;
  }
};

void GraphInit(const CheckerOptions &options);
void GraphReset();

// Gives the thread a slot with a fresh index. May walk all of shadow memory:
// no cell may be locked.
void GraphAttach(CheckerThread *thr, u32 tid);
// Moves a thread whose indices are used up to another slot (no region active).
void GraphRollOver(CheckerThread *thr);
bool GraphNeedsRollOver(const CheckerThread *thr);
// The thread's slot may be taken over once nothing reaches it (and it is not
// waiting for its join).
void GraphDetach(CheckerThread *thr, bool keep_for_join);
void GraphReleaseJoined(TxnRef last);

void GraphBegin(CheckerThread *thr);
void GraphEnd(CheckerThread *thr);

// The bit of the gate that leaves it open.
constexpr u32 kGateStays = 1u << 31;

// May a region begin by GraphBeginQuickly? Mostly it does.
inline bool MayBeginQuickly(const CheckerThread *thr) {
  return thr->index < thr->last_quick;
}
// Begins a region without a call. False: GateCount has to count it.
ALWAYS_INLINE bool GraphBeginQuickly(CheckerThread *thr) {
  SlotLiveness &l = slot_liveness[thr->slot];
  const TxnIndex index = ++thr->index;
  thr->self = MakeCell(thr->slot, index);
  atomic_store(&l.begun, index, memory_order_relaxed);
  atomic_store(&l.own_min, index, memory_order_release);
  thr->active = thr->has_run = true;
  thr->began = 0;
  // A thread that wants to close a gate that is left open supplies the fence.
  atomic_signal_fence(memory_order_seq_cst);
  return LIKELY(__atomic_load_n(&__atsan_gate, __ATOMIC_ACQUIRE) & kGateStays);
}
// Ends a region without a call. False: GraphEndRest does what is left.
ALWAYS_INLINE bool GraphEndQuickly(CheckerThread *thr) {
  thr->active = false;
  atomic_store(&slot_liveness[thr->slot].own_min, kNoIndex,
               memory_order_release);
  // Whoever adds an edge may have seen the slot active, and do so after this
  // look. Then the next region's end finds it, or DropRowsOfEndedRegions.
  return LIKELY(!thr->holds_gate) &&
         LIKELY(__atomic_load_n(thr->row_size, __ATOMIC_RELAXED) <= 1);
}
void GraphEndRest(CheckerThread *thr);
// Counts a region that has begun, and found the gate not left open.
void GateCount(CheckerThread *thr);
void GateUncount(CheckerThread *thr);
// Looks whether the gate should be closed. For a thread outside regions, at
// work in no page.
void GateLook(CheckerThread *thr);
void GateReset();
// To be asked at each access outside regions while the gate is open: false if
// the thread is to look at once.
ALWAYS_INLINE bool MayGoOnOutside(CheckerThread *thr) {
  return LIKELY(--thr->hooks_left >= 0);
}
inline void CountHookOutside(CheckerThread *thr) {
  if (!MayGoOnOutside(thr))
    GateLook(thr);
}

// Adds the edge src -> current transaction of ev->thr, if it matters. If it
// closes a cycle, it is not added: ev->closed and ev->thr->cycle say so.
void GraphAddEdge(EventContext *ev, TxnRef src, LocId src_loc, uptr addr);

// What a thread knows of its predecessors is void once indices start anew.
inline void RefreshPreds(CheckerThread *thr) {
  u32 epoch = atomic_load(&index_epoch, memory_order_acquire);
  if (LIKELY(thr->preds_epoch == epoch))
    return;
  thr->preds_epoch = epoch;
  internal_memset(thr->preds, 0, thr->num_preds * sizeof(thr->preds[0]));
}

// Did an earlier edge from the same or a later transaction of src's slot enter
// this thread? Then program order implies this one.
inline bool IsImplied(CheckerThread *thr, TxnRef src) {
  RefreshPreds(thr);
  return src.slot < thr->num_preds && src.index <= thr->preds[src.slot];
}

void GraphFillStats(CheckerStats *stats);

}  // namespace __atsan

#endif  // ATSAN_GRAPH_H
