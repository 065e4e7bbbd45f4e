//===-- atsan_graph_internal.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// State shared by the two halves of the graph: edges and reachability
// (atsan_graph.cpp), and the life of slots (atsan_slots.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_GRAPH_INTERNAL_H
#define ATSAN_GRAPH_INTERNAL_H

#include "lib/checker/atsan_graph.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

// The row of one transaction A of a slot: first(A, u) and the edge behind it. A
// row is only touched with the graph's lock held, which regions do not take: so
// it may be that of an earlier transaction than is active, or of none. Then the
// active one reaches nothing but itself.
struct ReachRow {
  TxnIndex *first;
  u32 *via;      // Index into the edge records.
  u32 *touched;  // The slots u with first[u] != kNoIndex.
  u32 num_touched;
  u32 capacity;
  TxnIndex of;  // A's index.

  TxnIndex First(SlotId u) const { return u < capacity ? first[u] : kNoIndex; }
  void Set(SlotId u, TxnIndex index, u32 edge);
  void Clear();
  void Free();
  void Reserve(u32 slots);
  // Forgets the slots for which drop(u) holds.
  template <typename F>
  void Drop(F drop) {
    u32 kept = 0;
    for (u32 i = 0; i < num_touched; i++) {
      SlotId u = touched[i];
      if (drop(u))
        first[u] = kNoIndex;
      else
        touched[kept++] = u;
    }
    num_touched = kept;
  }
};

// Location of a record that says: the same thread, in another slot.
constexpr LocId kProgramOrder = ~0u;

// What is known of a slot, in a cache line of its own, which the end of a
// region looks at.
struct alignas(SANITIZER_CACHE_LINE_SIZE) Slot {
  ReachRow row;
  u32 tid;
  // How many rows of others say of the slot what its foreign_min is: while
  // there are any, a row that is dropped needs no look at all others.
  u32 min_holders;
  TxnIndex last;  // The last index that was used, once it is dead.
  bool dead;
  bool wait_join;  // Dead, but a join will still add an edge from it.
  bool used_up;    // No indices left: reusable only after a merge.
};

// Taken before any cell or the graph is locked, never after.
extern ATSAN_HIDDEN Mutex slots_mutex;
extern ATSAN_HIDDEN Mutex graph_mutex;
struct GraphLock : Lock {
  GraphLock() : Lock(&graph_mutex) {}
};

extern ATSAN_HIDDEN Slot *slots;
extern ATSAN_HIDDEN atomic_uint32_t
    num_slots;  // Slots below were used at least once.
extern ATSAN_HIDDEN CheckerOptions graph_options;
extern ATSAN_HIDDEN u64 slots_merged;

// The slots whose threads have had a region, as a bit set.
extern ATSAN_HIDDEN atomic_uint64_t region_slots[kMaxSlots / 64];
// Calls f(slot) for the slots whose threads have had a region.
template <typename F>
void ForEachSlotWithRegions(F f) {
  u32 n = atomic_load(&num_slots, memory_order_acquire);
  for (u32 w = 0; w * 64 < n; w++) {
    u64 bits = atomic_load(&region_slots[w], memory_order_acquire);
    for (; bits; bits &= bits - 1)
      f(w * 64 + LeastSignificantSetBitIndex(bits));
  }
}
void SetHasRegions(SlotId slot, bool has);

// Calls f(slot, index of its active transaction) for slots with an own_min:
// these are active. A caller with the graph's lock may see one that has just
// ended: an edge to it is of no consequence. All that any row says something of
// are seen.
template <typename F>
void ForEachActive(F f) {
  ForEachSlotWithRegions([&](SlotId slot) {
    TxnIndex own =
        atomic_load(&slot_liveness[slot].own_min, memory_order_acquire);
    if (own != kNoIndex)
      f(slot, own);
  });
}

// What the active transaction (a, own) reaches first in slot u, or kNoIndex.
inline TxnIndex FirstReached(SlotId a, TxnIndex own, SlotId u) {
  const ReachRow &row = slots[a].row;
  return row.of == own ? row.First(u) : u == a ? own : kNoIndex;
}
// The row of the active transaction (a, own), to be changed.
ReachRow &RowOf(SlotId a, TxnIndex own);
// Drops the row of a transaction that has ended: what only it reached is dead.
void DropRow(SlotId slot);
// Drops the rows of regions that were given an edge while they ended.
void DropRowsOfEndedRegions();

// Another slot's row says `index` of the slot, which is less than it said
// before.
void LowerForeignMin(SlotId slot, TxnIndex index);
void SlotsReset();
u32 NewEdgeRecord(const Edge &edge);
// Notes that the slots of these edges' sources will mean other threads.
void SummarizeEdgesFrom(const bool *is_emptied);
void SetPred(CheckerThread *thr, TxnRef src);

}  // namespace __atsan

#endif  // ATSAN_GRAPH_INTERNAL_H
