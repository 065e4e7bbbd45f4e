//===-- atsan_read_log.cpp --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads are noted, and collected.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_read_log.h"

#include "lib/checker/atsan_graph_internal.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

static ReadLog no_log;

void ReadLogInit(SlotId slot) {
  if (!atomic_load(&cell_work[slot].log, memory_order_relaxed))
    atomic_store(&cell_work[slot].log, reinterpret_cast<uptr>(&no_log),
                 memory_order_relaxed);
}

static ReadLog *LogOf(SlotId slot) {
  return reinterpret_cast<ReadLog *>(
      atomic_load(&cell_work[slot].log, memory_order_relaxed));
}

static LoggedRead *OwnReadOf(SlotId slot, Cell c) {
  if (LoggedRead *read = FindLoggedRead(cell_work[slot], c))
    return read;
  if (LogOf(slot) == &no_log)
    atomic_store(&cell_work[slot].log,
                 reinterpret_cast<uptr>(MmapNoReserveOrDie(
                     sizeof(ReadLog), "AtomicitySanitizer read log")),
                 memory_order_release);
  void *segment = MmapNoReserveOrDie(kSegmentBlocks * sizeof(LoggedRead),
                                     "AtomicitySanitizer reads");
  atomic_store(&LogOf(slot)->segments[BlockOf(c) >> kSegmentBits],
               reinterpret_cast<uptr>(segment), memory_order_release);
  return FindLoggedRead(cell_work[slot], c);
}

bool AddToLog(Cell self, Cell c, u32 bytes, LocId loc) {
  LoggedRead *read = OwnReadOf(SlotOf(self), c);
  Cell e = atomic_load(&read->entry, memory_order_relaxed);
  if (!RecordSingle</*kIsWrite=*/false>(self, bytes, loc, &e, read->locs))
    return false;
  atomic_store(&read->entry, e, memory_order_relaxed);
  return true;
}

bool LogRead(const CheckerThread *thr, uptr addr, u32 bytes, LocId loc) {
  const AtomicCell *cell = CellInLeaf(ShadowLeaf(addr), addr);
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  const Cell c = atomic_load(cell, memory_order_acquire);
  bool done = IsLogged(c) && AddToLog(thr->self, c, bytes, loc);
  ClearCellWork(thr);
  return done;
}

// --- Logged or not. ----------------------------------------------------------

// How many changes of a list in place come before its cell is logged.
#ifndef ATSAN_LOG_AFTER
#define ATSAN_LOG_AFTER 32
#endif
constexpr u32 kLogAfter = ATSAN_LOG_AFTER;
constexpr bool kLogsReads = kLogAfter < kDetailSteps;

// A cell that was logged in vain costs some hundred reads. The more often that
// happens in a page, the more reads it takes there until one is logged again,
// as powers of two.
#ifndef ATSAN_MIN_LOG_WAIT
#define ATSAN_MIN_LOG_WAIT 5
#endif
constexpr u32 kMinLogWait = ATSAN_MIN_LOG_WAIT, kMaxLogCost = 10;

static void CountLoggedInVain(Page *page) {
  const u32 cost = Min<u32>(page->log_cost + 1, kMaxLogCost);
  page->log_cost = cost;
  page->log_wait = 1 << (kMinLogWait + cost);
}

bool MayLog(Page *page) {
  // A read that waits for another thread costs as much as several.
  const u16 by = MeetsOthers(page) ? 4 : 1;
  if (page->log_wait >= by) {
    page->log_wait -= by;
    return false;
  }
  page->log_wait = 0;
  page->meetings = 0;
  return kLogsReads && PagesHaveOwners();
}

void LogList(Page *page, AtomicCell *cell) {
  if (!MayLog(page))
    return;
  const Cell c = atomic_load(cell, memory_order_relaxed);
  bool has_writes = false;
  ForEachEntry(BlockOf(c), [&](Cell e, LocId, atomic_uint64_t *) {
    has_writes |= WritesOf(e) && IsLive(TxnOf(e));
    return !has_writes;
  });
  if (!has_writes)
    atomic_store(cell, c | kLoggedBit, memory_order_release);
}

void ConsiderLog(Page *page, AtomicCell *cell) {
  const Cell c = atomic_load(cell, memory_order_relaxed);
  if (kLogsReads &&
      StepsInGroup(c) >= (MeetsOthers(page) ? kLogAfter / 8 : kLogAfter))
    LogList(page, cell);
}

// A cell has been logged long enough if its threads have had so many regions
// since: reads in these cost as much as collecting them.
constexpr u32 kWorthLogging = 64;

// What the slot has logged of the cell that held c.
static Cell LoggedBy(SlotId slot, Cell c) {
  const LoggedRead *read = FindLoggedRead(cell_work[slot], c);
  return read ? atomic_load(&read->entry, memory_order_relaxed) : kEmptyCell;
}

// How many transactions after what the list says of them have readers of the
// cell that held c logged their last reads?
static u32 SinceListed(Cell c) {
  u32 since = 0;
  ForEachEntry(BlockOf(c), [&](Cell e, LocId, atomic_uint64_t *) {
    if (Cell logged = LoggedBy(SlotOf(e), c))
      since += IndexOf(logged) - IndexOf(e);
    return true;
  });
  return since;
}

// Moves what the slot has logged of the cell that held c into the list, where
// the block *at is the first that may have room. False if there was nothing.
static bool CollectLog(SlotId slot, Cell c, BlockId *at) {
  const Cell e = LoggedBy(slot, c);
  if (!e)
    return false;
  LoggedRead *read = FindLoggedRead(cell_work[slot], c);
  atomic_store(&read->entry, kEmptyCell, memory_order_relaxed);
  if (IsLive(TxnOf(e)))
    *at = AddCell(*at, e, read->locs);
  return true;
}

Cell CollectLogs(SlotId own, uptr addr, const CellRef &ref, Cell c) {
  FenceInAllThreads();
  // Threads that come after the fence find the cell changed.
  const u32 n = atomic_load(&num_slots, memory_order_acquire);
  // Readers that the list does not know have had one region at least.
  u32 regions = SinceListed(c);
  BlockId at = BlockOf(c);
  for (u32 slot = 0; slot < n; slot++) {
    if (slot != own)
      WaitForSlot(slot, addr);
    regions += CollectLog(slot, c, &at);
  }
  if (regions < kWorthLogging)
    CountLoggedInVain(ref.page);
  return NewDetailCell(BlockOf(c));
}

void ReadLogsReset() {
  const u32 n = atomic_load(&num_slots, memory_order_relaxed);
  for (u32 slot = 0; slot < n; slot++) {
    ReadLog *log = LogOf(slot);
    if (log == &no_log)
      continue;
    for (atomic_uintptr_t &segment : log->segments)
      if (uptr base = atomic_load(&segment, memory_order_relaxed))
        UnmapOrDie(reinterpret_cast<void *>(base),
                   kSegmentBlocks * sizeof(LoggedRead));
    UnmapOrDie(log, sizeof(ReadLog));
    atomic_store(&cell_work[slot].log, reinterpret_cast<uptr>(&no_log),
                 memory_order_relaxed);
  }
}

}  // namespace __atsan
