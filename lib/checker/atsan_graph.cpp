//===-- atsan_graph.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reachability: regions begin and end, edges are added, cycles found.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_graph.h"

#include "lib/checker/atsan_array.h"
#include "lib/checker/atsan_graph_internal.h"

namespace __atsan {

SlotLiveness slot_liveness[kMaxSlots];
__attribute__((tls_model("initial-exec"))) THREADLOCAL KnownDead known_dead;
atomic_uint64_t region_slots[kMaxSlots / 64];
Mutex graph_mutex;
static u64 numbers_looked_at;

// --- Rows. -------------------------------------------------------------------

void ReachRow::Reserve(u32 slots) {
  if (slots <= capacity)
    return;
  u32 size = Max<u32>(RoundUpToPowerOfTwo(slots), 16);
  GrowArray(&first, capacity, size, 0xff);
  GrowArray(&via, capacity, size, 0);
  GrowArray(&touched, capacity, size, 0);
  capacity = size;
}

void ReachRow::Set(SlotId u, TxnIndex index, u32 edge) {
  Reserve(u + 1);
  if (first[u] == kNoIndex)
    touched[num_touched++] = u;
  first[u] = index;
  via[u] = edge;
}

void ReachRow::Free() {
  FreeArray(first, capacity);
  FreeArray(via, capacity);
  FreeArray(touched, capacity);
  *this = {};
}

void ReachRow::Clear() {
  for (u32 i = 0; i < num_touched; i++)
    first[touched[i]] = kNoIndex;
  // Regions look at num_touched without the lock when they end.
  __atomic_store_n(&num_touched, 0, __ATOMIC_RELAXED);
}

ReachRow &RowOf(SlotId a, TxnIndex own) {
  ReachRow &row = slots[a].row;
  if (row.of != own) {
    DropRow(a);
    row.Set(a, own, 0);
    row.of = own;
  }
  return row;
}

void LowerForeignMin(SlotId slot, TxnIndex index) {
  atomic_uint32_t *stored = &slot_liveness[slot].foreign_min;
  const TxnIndex min = atomic_load(stored, memory_order_relaxed);
  if (index < min) {
    slots[slot].min_holders = 1;
    atomic_store(stored, index, memory_order_release);
  } else if (index == min) {
    slots[slot].min_holders++;
  }
}

// Looks for the minimum anew when no row has it any more.
static void RecomputeForeignMin(SlotId slot) {
  TxnIndex min = kNoIndex;
  u32 holders = 0;
  ForEachSlotWithRegions([&](SlotId a) {
    numbers_looked_at++;
    const TxnIndex first = a == slot ? kNoIndex : slots[a].row.First(slot);
    holders = first < min ? 1 : holders + (first == min);
    min = Min(min, first);
  });
  slots[slot].min_holders = holders;
  // A store takes the cache line from the slot's thread.
  atomic_uint32_t *stored = &slot_liveness[slot].foreign_min;
  if (min != atomic_load(stored, memory_order_relaxed))
    atomic_store(stored, min, memory_order_release);
}

void DropRow(SlotId slot) {
  ReachRow &row = slots[slot].row;
  row.of = kNoIndex;
  numbers_looked_at += row.num_touched;
  for (u32 i = 0; i < row.num_touched; i++) {
    const SlotId u = row.touched[i];
    const TxnIndex first = row.first[u];
    row.first[u] = kNoIndex;
    if (u != slot &&
        first ==
            atomic_load(&slot_liveness[u].foreign_min, memory_order_relaxed) &&
        !--slots[u].min_holders)
      RecomputeForeignMin(u);
  }
  row.Clear();
}

void DropRowsOfEndedRegions() {
  ForEachSlotWithRegions([&](SlotId slot) {
    const ReachRow &row = slots[slot].row;
    if (row.num_touched > 1 &&
        row.of !=
            atomic_load(&slot_liveness[slot].own_min, memory_order_acquire))
      DropRow(slot);
  });
}

// --- Edge records. -----------------------------------------------------------

// Records are referred to by rows of active transactions only; when they have
// doubled since the last time, all that no row refers to are dropped.
static InternalMmapVectorNoCtor<Edge> edge_records;
static InternalMmapVectorNoCtor<u32> free_records;
static uptr sweep_at = 1024;
static u64 edges_added;

static void SweepEdgeRecords() {
  InternalMmapVector<bool> used(edge_records.size());
  used[0] = true;
  ForEachActive([&](SlotId a, TxnIndex own) {
    const ReachRow &row = slots[a].row;
    for (u32 i = 0; row.of == own && i < row.num_touched; i++)
      used[row.via[row.touched[i]]] = true;
  });
  free_records.clear();
  uptr live = 0;
  for (u32 i = 0; i < edge_records.size(); i++) {
    if (used[i])
      live++;
    else
      free_records.push_back(i);
  }
  sweep_at = Max<uptr>(1024, 2 * live);
}

void SummarizeEdgesFrom(const bool *is_emptied) {
  for (uptr i = 1; i < edge_records.size(); i++)
    if (is_emptied[edge_records[i].src.slot])
      edge_records[i].src_tid = kMergedTid;
}

u32 NewEdgeRecord(const Edge &edge) {
  edges_added++;
  if (free_records.size() == 0 && edge_records.size() >= sweep_at)
    SweepEdgeRecords();
  if (free_records.size()) {
    u32 id = free_records.back();
    free_records.pop_back();
    edge_records[id] = edge;
    return id;
  }
  edge_records.push_back(edge);
  return edge_records.size() - 1;
}

// --- Regions. ----------------------------------------------------------------

void SetHasRegions(SlotId slot, bool has) {
  u64 bit = 1ull << (slot % 64);
  atomic_uint64_t *word = &region_slots[slot / 64];
  if (!(atomic_load(word, memory_order_relaxed) & bit) == !has)
    return;
  if (has)
    __atomic_fetch_or(&word->val_dont_use, bit, __ATOMIC_SEQ_CST);
  else
    __atomic_fetch_and(&word->val_dont_use, ~bit, __ATOMIC_SEQ_CST);
}

void GraphBegin(CheckerThread *thr) {
  if (UNLIKELY(!MayBeginQuickly(thr))) {
    if (GraphNeedsRollOver(thr))
      GraphRollOver(thr);
    SetHasRegions(thr->slot, true);
    thr->last_quick = graph_options.max_index;
  }
  if (!GraphBeginQuickly(thr))
    GateCount(thr);
}

void GraphEndRest(CheckerThread *thr) {
  if (thr->holds_gate)
    GateUncount(thr);
  if (__atomic_load_n(thr->row_size, __ATOMIC_RELAXED) > 1) {
    GraphLock lock;
    DropRow(thr->slot);
  }
}

void GraphEnd(CheckerThread *thr) {
  if (!GraphEndQuickly(thr))
    GraphEndRest(thr);
}

// --- Edges. ------------------------------------------------------------------

void SetPred(CheckerThread *thr, TxnRef src) {
  RefreshPreds(thr);
  if (src.slot >= thr->num_preds) {
    u32 size = Max<u32>(RoundUpToPowerOfTwo(src.slot + 1), 16);
    GrowArray(&thr->preds, thr->num_preds, size, 0);
    thr->num_preds = size;
  }
  thr->preds[src.slot] = Max(thr->preds[src.slot], src.index);
}

// Did the region of the edge's end begin and end while that of `thr` is open?
static bool RanWhole(const CheckerThread *thr, const Edge &edge) {
  return thr->began && edge.dst_began > thr->began &&
         atomic_load(&slot_liveness[edge.dst.slot].own_min,
                     memory_order_acquire) != edge.dst.index;
}

// Makes the cycle: the path from the active transaction of `t` to the source of
// `closing`, found backwards along the edges that made its row, then `closing`.
static void BuildCycle(EventContext *ev, SlotId t, const Edge &closing) {
  const ReachRow &row = slots[t].row;
  InternalMmapVectorNoCtor<Edge> &cycle = ev->thr->cycle;
  cycle.clear();
  cycle.push_back(closing);
  ev->summarized = closing.src_tid == kMergedTid;
  for (SlotId u = closing.src.slot; u != t && !ev->summarized;) {
    const Edge &e = edge_records[row.via[u]];
    ev->summarized = e.src_tid == kMergedTid;
    // An edge within one thread that moved to another slot is program order.
    if (e.src_loc != kProgramOrder) {
      cycle.push_back(e);
      cycle.back().dst_ran_whole = RanWhole(ev->thr, e);
    }
    u = e.src.slot;
  }
  for (uptr i = 0, j = cycle.size() - 1; i < j; i++, j--)
    Swap(cycle[i], cycle[j]);
}

// Adds to the row of `a` everything that `a` reaches through its new edge into
// the active transaction of `t`: that one, and what it reaches.
static void MergeRow(ReachRow &into, SlotId a, SlotId t, u32 record) {
  const ReachRow &from = slots[t].row;
  numbers_looked_at += from.num_touched;
  for (u32 i = 0; i < from.num_touched; i++) {
    SlotId u = from.touched[i];
    if (from.first[u] >= into.First(u))
      continue;
    into.Set(u, from.first[u], u == t ? record : from.via[u]);
    if (u != a)
      LowerForeignMin(u, from.first[u]);
  }
}

static void AddEdgeLocked(EventContext *ev, Edge *edge) {
  CheckerThread *thr = ev->thr;
  SlotId t = thr->slot;
  TxnRef src = edge->src;
  u32 record = 0;
  auto Record = [&] {
    if (!record) {
      edge->dst = {t, thr->index};
      edge->dst_loc = ev->Loc();
      edge->dst_began = thr->active ? thr->began : 0;
      record = NewEdgeRecord(*edge);
    }
    return record;
  };
  if (thr->active && RowOf(t, thr->index).First(src.slot) <= src.index) {
    if (!ev->closed) {
      ev->closed = true;
      edge->dst = {t, thr->index};
      edge->dst_loc = ev->Loc();
      BuildCycle(ev, t, *edge);
    }
    return;  // Without SetPred: the edge does not exist.
  }
  ForEachActive([&](SlotId a, TxnIndex own) {
    numbers_looked_at++;
    if (a == t && thr->active)
      return;
    if (FirstReached(a, own, src.slot) > src.index ||
        FirstReached(a, own, t) <= thr->index || UNLIKELY(ArraysAreFull()))
      return;
    ReachRow &row = RowOf(a, own);
    if (thr->active) {
      MergeRow(row, a, t, Record());
      return;
    }
    if (!ev->fresh) {
      ev->fresh = true;
      thr->index++;
      thr->self = MakeCell(t, thr->index);
    }
    row.Set(t, thr->index, Record());
    LowerForeignMin(t, thr->index);
  });
  if (record && thr->active)
    OnRegionEntered(thr);
  SetPred(thr, src);
}

void GraphAddEdge(EventContext *ev, TxnRef src, LocId src_loc, uptr addr) {
  Edge edge = {};
  edge.src = src;
  edge.src_loc = src_loc;
  edge.src_tid = slots[src.slot].tid;
  edge.dst_tid = ev->thr->tid;
  edge.addr = addr;
  edge.dst_addr = ev->BeginOf(addr);
  GraphLock lock;
  AddEdgeLocked(ev, &edge);
}

// --- Life. -------------------------------------------------------------------

void GraphInit(const CheckerOptions &options) {
  graph_options = options;
  if (!slots) {
    slots = static_cast<Slot *>(MmapNoReserveOrDie(kMaxSlots * sizeof(Slot),
                                                   "AtomicitySanitizer slots"));
    edge_records.Initialize(1024);
    edge_records.push_back({});  // 0 is no record.
    free_records.Initialize(1024);
  }
}

void GraphReset() {
  SlotsReset();
  edge_records.resize(1);
  free_records.clear();
  sweep_at = 1024;
  edges_added = numbers_looked_at = 0;
  internal_memset(region_slots, 0, sizeof(region_slots));
  GateReset();
}

void GraphFillStats(CheckerStats *stats) {
  GraphLock lock;
  stats->edges_added = edges_added;
  stats->slots_used = atomic_load(&num_slots, memory_order_relaxed);
  stats->slots_merged = slots_merged;
  stats->edge_records = edge_records.size() - free_records.size();
  ForEachActive([&](SlotId a, TxnIndex own_of_a) {
    stats->active_transactions++;
    ForEachActive([&](SlotId u, TxnIndex own) {
      numbers_looked_at++;
      if (u != a && FirstReached(a, own_of_a, u) <= own)
        stats->active_edges++;
    });
  });
  stats->numbers_looked_at = numbers_looked_at;
}

}  // namespace __atsan
