//===-- atsan_merge.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two steps: under the graph's lock, cut the indices of every dead slot into
// intervals that the same active transactions reach, and choose one
// representative for each such set; then, without that lock, rename cell by
// cell.
//
// Why the second step needs no lock: dead threads add no traces, and two
// completed transactions with the same reaching set keep the same one for ever
// (an edge into T gives T's row to all who reach its source, and edges never
// enter completed transactions).
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_merge.h"

#include "lib/checker/atsan_detail.h"
#include "lib/checker/atsan_page.h"
#include "lib/checker/atsan_read_log.h"
#include "lib/checker/atsan_sweep.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

namespace {

// Indices from `from` up to the next interval of the slot become `to`.
struct Interval {
  TxnIndex from;
  TxnRef to;
};

// A set of active slots, and the transaction that stands for it.
struct ReachClass {
  u64 *set;
  TxnRef representative;
};

class Renaming {
 public:
  Renaming(const SlotId *dead, uptr n, InternalMmapVector<SlotId> *emptied);
  ~Renaming();
  // The entry under its new name, or empty if nothing reaches it.
  Cell Rename(Cell entry) const;
  bool Concerns(Cell entry) const { return begin_[SlotOf(entry)] != kKept; }

 private:
  static constexpr u32 kKept = ~0u;

  bool AddSlot(SlotId slot);
  TxnRef FindClass(TxnRef txn, bool *is_new);

  u32 words_;
  // For slot u, intervals_[begin_[u]] up to an interval from kNoIndex; or
  // kKept.
  InternalMmapVector<u32> begin_;
  InternalMmapVector<Interval> intervals_;
  InternalMmapVector<ReachClass> classes_;
};

Renaming::Renaming(const SlotId *dead, uptr n,
                   InternalMmapVector<SlotId> *emptied)
    : begin_(kMaxSlots) {
  for (u32 i = 0; i < kMaxSlots; i++)
    begin_[i] = kKept;
  GraphLock lock;
  words_ = RoundUpTo(atomic_load(&num_slots, memory_order_relaxed), 64) / 64;
  for (uptr i = 0; i < n; i++)
    if (!slots[dead[i]].wait_join && AddSlot(dead[i]))
      emptied->push_back(dead[i]);
}

Renaming::~Renaming() {
  for (uptr i = 0; i < classes_.size(); i++)
    InternalFree(classes_[i].set);
}

TxnRef Renaming::FindClass(TxnRef txn, bool *is_new) {
  uptr bytes = words_ * sizeof(u64);
  u64 *set = static_cast<u64 *>(InternalAlloc(bytes));
  internal_memset(set, 0, bytes);
  ForEachActive([&](SlotId a, TxnIndex own) {
    if (FirstReached(a, own, txn.slot) <= txn.index)
      set[a / 64] |= 1ull << (a % 64);
  });
  for (uptr i = 0; i < classes_.size(); i++) {
    if (internal_memcmp(classes_[i].set, set, bytes) == 0) {
      InternalFree(set);
      *is_new = false;
      return classes_[i].representative;
    }
  }
  classes_.push_back({set, txn});
  *is_new = true;
  return txn;
}

// Adds the intervals of a slot. False if the slot must stay: one of its
// transactions represents a class.
bool Renaming::AddSlot(SlotId slot) {
  InternalMmapVector<TxnIndex> starts;
  ForEachActive([&](SlotId a, TxnIndex own) {
    TxnIndex first = FirstReached(a, own, slot);
    if (first != kNoIndex)
      starts.push_back(first);
  });
  Sort(starts.data(), starts.size());
  uptr begin = intervals_.size();
  bool stays = false;
  for (uptr i = 0; i < starts.size(); i++) {
    if (i && starts[i] == starts[i - 1])
      continue;
    bool is_new;
    TxnRef to = FindClass({slot, starts[i]}, &is_new);
    stays |= is_new;
    intervals_.push_back({starts[i], to});
  }
  if (stays) {
    intervals_.resize(begin);
    slots[slot].tid = kMergedTid;
    return false;
  }
  intervals_.push_back({kNoIndex, {}});
  begin_[slot] = begin;
  return true;
}

Cell Renaming::Rename(Cell entry) const {
  TxnIndex index = IndexOf(entry);
  Cell renamed = kEmptyCell;
  for (u32 i = begin_[SlotOf(entry)]; intervals_[i].from <= index; i++)
    renamed = MakeCell(intervals_[i].to.slot, intervals_[i].to.index,
                       WritesOf(entry), ReadsOf(entry));
  return renamed;
}

Cell RenameDetail(Cell c, LocId *locs, const Renaming &renaming) {
  ForEachEntry(BlockOf(c), [&](Cell e, LocId, atomic_uint64_t *place) {
    if (renaming.Concerns(e))
      atomic_store_relaxed(place, renaming.Rename(e));
    return true;
  });
  return FinishDetail(BlockOf(c), locs);
}

void RenameCell(uptr addr, const CellRef &ref, const Renaming &renaming) {
  Cell c = atomic_load(ref.cell, memory_order_acquire);
  if (IsSwept(c) || (IsSingle(c) && (!c || !renaming.Concerns(c))))
    return;
  EnterPageUnseen(addr, ref.page);
  c = atomic_load(ref.cell, memory_order_relaxed);
  if (IsDetail(c)) {
    BeginListChange(ref.cell);
    if (IsLogged(c))
      c = CollectLogs(kNoSlot, addr, ref, c);
    c = RenameDetail(c, ref.locs, renaming);
  } else if (IsSingle(c) && c && renaming.Concerns(c)) {
    c = renaming.Rename(c);
  }
  atomic_store(ref.cell, c, memory_order_release);
  LeavePageUnseen(ref.page);
}

// Renames the page's sweeps. After this, a cell of the page that becomes one of
// its own gets new names.
void RenameSweeps(uptr addr, Page *page, const Renaming &renaming) {
  if (!MentionsInSweeps(page, [&](Cell s) { return renaming.Concerns(s); }))
    return;
  EnterPageUnseen(addr, page);
  ChangeSweeps(page, [&](Cell sweep) {
    if (!renaming.Concerns(sweep))
      return sweep;
    Cell renamed = renaming.Rename(sweep);
    return renamed ? renamed | (sweep & kModeMask) : kEmptyCell;
  });
  LeavePageUnseen(page);
}

}  // namespace

void MergeDeadSlots(const SlotId *dead, uptr n,
                    InternalMmapVector<SlotId> *emptied) {
  Renaming renaming(dead, n, emptied);
  if (!emptied->size())
    return;
  for (uptr leaf = 0; leaf < ShadowNumLeaves(); leaf++) {
    uptr begin = ShadowLeafAddress(leaf);
    ForEachTouchedPage(begin, begin + kLeafBytes, [&](uptr from, uptr to) {
      RenameSweeps(from, ShadowGet(from).page, renaming);
      for (uptr addr = from; addr < to; addr += kGranule)
        RenameCell(addr, ShadowGet(addr), renaming);
    });
  }
}

}  // namespace __atsan
