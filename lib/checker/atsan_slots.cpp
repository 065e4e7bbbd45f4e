//===-- atsan_slots.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The life of slots: which thread has which, and when one may be taken over.
//
// A dead thread's slot is taken over as soon as no active transaction reaches
// anything in it: traces of it left in the shadow are never live again, because
// the new thread goes on with larger indices. So threads that come and go cost
// nothing while no region is open, or while the open ones do not concern them.
//
// If regions stay open that reach thousands of dead threads, slots run out.
// Then transactions of dead threads that the same active ones reach are merged
// (MergeDeadSlots): for everything to come they are the same node, as CAV'08
// says with its rule 5 (erase the thread ids of ended threads).
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_array.h"
#include "lib/checker/atsan_graph_internal.h"
#include "lib/checker/atsan_merge.h"
#include "lib/checker/atsan_page.h"
#include "lib/checker/atsan_read_log.h"

namespace __atsan {

Slot *slots;
atomic_uint32_t num_slots;
CheckerOptions graph_options;
u64 slots_merged;
atomic_uint32_t index_epoch;

Mutex slots_mutex;
static InternalMmapVectorNoCtor<SlotId> dead_slots;

// A thread that takes over a slot should not use up its indices at once.
constexpr TxnIndex kMinIndicesLeft = 4;

bool GraphNeedsRollOver(const CheckerThread *thr) {
  return thr->index >= graph_options.max_index;
}

static bool IsReusable(SlotId slot) {
  const Slot &s = slots[slot];
  return !s.used_up && atomic_load(&slot_liveness[slot].foreign_min,
                                   memory_order_acquire) > s.last;
}

// Looks at up to n dead slots for one that can be taken over.
static SlotId TakeDeadSlot(uptr n) {
  static uptr cursor;
  for (uptr i = 0; i < n && dead_slots.size(); i++) {
    cursor = (cursor + 1) % dead_slots.size();
    SlotId slot = dead_slots[cursor];
    if (!IsReusable(slot))
      continue;
    dead_slots[cursor] = dead_slots.back();
    dead_slots.pop_back();
    return slot;
  }
  return kNoSlot;
}

// Rows are as long as slot numbers are large. So dead slots are merged before
// many new ones are opened; where that helps little, the limit doubles.
constexpr u32 kFirstLimit = 1024;
static u32 slot_limit = kFirstLimit;

static SlotId TakeNewSlot(u32 limit) {
  u32 slot = atomic_load(&num_slots, memory_order_relaxed);
  if (slot >= Min(limit, graph_options.max_slots))
    return kNoSlot;
  atomic_store(&slot_liveness[slot].own_min, kNoIndex, memory_order_relaxed);
  atomic_store(&slot_liveness[slot].foreign_min, kNoIndex,
               memory_order_relaxed);
  slots[slot].min_holders = 0;
  slots[slot].last = 0;
  ReadLogInit(slot);
  atomic_store(&num_slots, slot + 1, memory_order_release);
  return slot;
}

// Recycles the slots that a merge emptied: they start with their old indices,
// or at 0 when those are used up. Then nobody may trust what it knows of them.
static void RecycleMergedSlots(const InternalMmapVector<SlotId> &emptied) {
  GraphLock lock;
  InternalMmapVector<bool> is_emptied(kMaxSlots);
  for (uptr i = 0; i < emptied.size(); i++)
    is_emptied[emptied[i]] = true;
  // Also the rows of regions that have just ended, which are dropped later.
  ForEachSlotWithRegions([&](SlotId a) {
    slots[a].row.Drop([&](SlotId u) { return is_emptied[u]; });
  });
  SummarizeEdgesFrom(is_emptied.data());
  bool anew = false;
  for (uptr i = 0; i < emptied.size(); i++) {
    SlotId slot = emptied[i];
    atomic_store(&slot_liveness[slot].foreign_min, kNoIndex,
                 memory_order_release);
    slots[slot].min_holders = 0;
    if (slots[slot].used_up) {
      slots[slot].used_up = false;
      slots[slot].last = 0;
      anew = true;
    }
  }
  if (anew)
    atomic_fetch_add(&index_epoch, 1, memory_order_acq_rel);
  slots_merged += emptied.size();
}

static SlotId AllocSlot() {
  SlotId slot = TakeDeadSlot(16);
  if (slot == kNoSlot)
    slot = TakeNewSlot(slot_limit);
  if (slot == kNoSlot)
    slot = TakeDeadSlot(dead_slots.size());
  if (slot == kNoSlot) {
    InternalMmapVector<SlotId> emptied;
    MergeDeadSlots(dead_slots.data(), dead_slots.size(), &emptied);
    RecycleMergedSlots(emptied);
    slot = TakeDeadSlot(dead_slots.size());
    if (emptied.size() < slot_limit / 2)
      slot_limit = Min(slot_limit * 2, kMaxSlots);
  }
  if (slot == kNoSlot)
    slot = TakeNewSlot(slot_limit);
  if (slot == kNoSlot) {
    Report(
        "FATAL: AtomicitySanitizer: more than %u threads are alive, or "
        "wait to be joined, or ended in ways that open regions tell apart\n",
        graph_options.max_slots);
    Die();
  }
  return slot;
}

static void Occupy(SlotId slot, CheckerThread *thr, u32 tid) {
  Slot &s = slots[slot];
  s.dead = s.wait_join = s.used_up = false;
  s.tid = tid;
  thr->slot = slot;
  thr->owner_word = OwnerWord(slot);
  thr->work = &cell_work[slot];
  thr->index = s.last + 1;
  thr->self = MakeCell(slot, thr->index);
  thr->last_quick = 0;
  thr->row_size = &s.row.num_touched;
}

static void Vacate(SlotId slot, TxnIndex last, bool wait_join) {
  Slot &s = slots[slot];
  {
    // A thread that sees the slot's last region active has the lock.
    GraphLock lock;
    DropRow(slot);
    s.row.Free();
  }
  SetHasRegions(slot, false);
  s.last = last;
  s.wait_join = wait_join;
  s.used_up = last + kMinIndicesLeft >= graph_options.max_index;
  s.dead = true;
  if (!dead_slots.data())
    dead_slots.Initialize(64);
  dead_slots.push_back(slot);
}

void GraphAttach(CheckerThread *thr, u32 tid) {
  Lock lock(&slots_mutex);
  thr->tid = tid;
  thr->active = thr->has_run = false;
  RefreshPreds(thr);
  Occupy(AllocSlot(), thr, tid);
}

void GraphDetach(CheckerThread *thr, bool keep_for_join) {
  Lock lock(&slots_mutex);
  Vacate(thr->slot, thr->index, keep_for_join);
  FreeArray(thr->preds, thr->num_preds);
  thr->preds = nullptr;
  thr->num_preds = 0;
}

void GraphReleaseJoined(TxnRef last) {
  Lock lock(&slots_mutex);
  Slot &s = slots[last.slot];
  // A slot with another last index has a new owner already.
  if (s.dead && s.last == last.index)
    s.wait_join = false;
}

void GraphRollOver(CheckerThread *thr) {
  Lock lock(&slots_mutex);
  TxnRef old = {thr->slot, thr->index};
  Occupy(AllocSlot(), thr, thr->tid);
  {
    GraphLock graph_lock;
    u32 record = 0;
    ForEachActive([&](SlotId a, TxnIndex own) {
      if (FirstReached(a, own, old.slot) > old.index)
        return;
      ReachRow &row = RowOf(a, own);
      if (!record) {
        Edge edge = {};
        edge.src = old;
        edge.dst = {thr->slot, thr->index};
        edge.src_loc = edge.dst_loc = kProgramOrder;
        edge.src_tid = edge.dst_tid = thr->tid;
        record = NewEdgeRecord(edge);
      }
      row.Set(thr->slot, thr->index, record);
      LowerForeignMin(thr->slot, thr->index);
    });
    SetPred(thr, old);
  }
  Vacate(old.slot, old.index, /*wait_join=*/false);
}

void SlotsReset() {
  u32 n = atomic_load(&num_slots, memory_order_relaxed);
  for (u32 i = 0; i < n; i++) {
    slots[i].row.Clear();
    slots[i].row.of = 0;
    slots[i].last = 0;
    slots[i].dead = slots[i].wait_join = slots[i].used_up = false;
  }
  atomic_store(&num_slots, 0, memory_order_relaxed);
  atomic_fetch_add(&index_epoch, 1, memory_order_acq_rel);
  if (dead_slots.data())
    dead_slots.clear();
  slots_merged = 0;
  slot_limit = kFirstLimit;
}

}  // namespace __atsan
