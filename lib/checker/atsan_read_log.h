//===-- atsan_read_log.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Granules that several open regions read again and again, and nobody writes:
// the fields of an object that all threads use. Each region's first read there
// would change the cell's list, in memory that all processors want. So such a
// cell becomes *logged*: from then on each thread notes its reads in a log of
// its own, and the list stands still.
//
// Whoever has anything else to do with the cell first collects what the logs
// say of it into the list, and the cell is a plain list again. As with pages
// that have an owner (atsan_page.h), readers use plain stores: they say in
// `cell_work` where they are, then look whether the cell is still logged; who
// collects first changes the cell, then has membarrier(2) supply the fence,
// then waits for those who are there.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_READ_LOG_H
#define ATSAN_READ_LOG_H

#include "lib/checker/atsan_detail.h"
#include "lib/checker/atsan_page.h"
#include "lib/checker/atsan_single.h"

namespace __atsan {

// What a thread has read of a logged cell, as a cell of a single transaction
// and its locations say it. Written by the log's thread only, but for who
// collects it.
struct LoggedRead {
  AtomicCell entry;
  LocId locs[2];
};

// The log of a slot: what belongs to the cell whose list has a block's number.
// Segments are mapped when first needed.
struct ReadLog {
  atomic_uintptr_t segments[kNumSegments];
};

// Gives a new slot a log without segments, which others have, too.
void ReadLogInit(SlotId slot);

// The place for what the slot has read of a cell that held c, which is logged;
// nullptr if there was no need for it yet.
ALWAYS_INLINE LoggedRead *FindLoggedRead(const CellWork &work, Cell c) {
  auto *log = reinterpret_cast<const ReadLog *>(
      atomic_load(&work.log, memory_order_relaxed));
  const BlockId block = BlockOf(c);
  const uptr segment =
      atomic_load(&log->segments[block >> kSegmentBits], memory_order_acquire);
  return UNLIKELY(!segment)
             ? nullptr
             : reinterpret_cast<LoggedRead *>(segment) + block % kSegmentBlocks;
}

// Has the slot's transaction logged a read of these bytes of a cell that held
// c, which is logged?
ALWAYS_INLINE bool CoversInLog(const CellWork &work, const AtomicCell *cell,
                               Cell c, Cell self, u32 bytes) {
  const LoggedRead *read = FindLoggedRead(work, c);
  if (UNLIKELY(!read))
    return false;
  const Cell reads = atomic_load(&read->entry, memory_order_relaxed) ^ self;
  return reads <= kWhole && !(bytes & ~static_cast<u32>(reads)) &&
         // Nobody has collected it since, and used the block for another cell,
         // of which a signal's handler has logged a read.
         LIKELY(atomic_load(cell, memory_order_acquire) == c);
}

// Logs a read in a region by the log's thread, which is marked as at work in
// the page; the cell holds c, and so is logged. False if the place is taken by
// an earlier transaction that is live and has read other bytes.
bool AddToLog(Cell self, Cell c, u32 bytes, LocId loc);
// Logs a read by a thread that is at work nowhere. False if the cell is not
// logged, or AddToLog has no room.
bool LogRead(const CheckerThread *thr, uptr addr, u32 bytes, LocId loc);

// Records a read in what the thread has logged of a cell, without a call. False
// if it needs one.
ALWAYS_INLINE bool AddToRead(LoggedRead *read, Cell self, u32 bytes,
                             LocId loc) {
  const Cell e = atomic_load(&read->entry, memory_order_relaxed);
  const u32 others = ReadsOf(e) & ~bytes;
  u32 kept = 0;
  if (SameTxn(e, self)) {
    if (!(bytes & ~ReadsOf(e)))
      return true;
    const u32 halves = (bytes & 0x0f ? 0x0f : 0) | (bytes & 0xf0 ? 0xf0 : 0);
    if (UNLIKELY(others & halves))
      return false;
    kept = others;
  } else if (UNLIKELY(others) && UNLIKELY(!IsKnownDead(e))) {
    return false;
  }
  // Lets registers be free of what can be loaded again: hooks have few.
  atomic_signal_fence(memory_order_seq_cst);
  Cell anew;
  RecordAnew</*kIsWrite=*/false>(self, bytes, loc, &anew, read->locs);
  atomic_store(&read->entry, anew | kept, memory_order_relaxed);
  return true;
}

// Logs a read as AddToRead does, by a thread that is at work nowhere. False
// also if the cell is not logged.
ALWAYS_INLINE bool LogReadAgain(const CheckerThread *thr, uptr addr, uptr leaf,
                                u32 bytes, LocId loc) {
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  const Cell c = atomic_load(CellInLeaf(leaf, addr), memory_order_acquire);
  LoggedRead *read = FindLoggedRead(*thr->work, c);
  const bool done = LIKELY(IsLogged(c)) && LIKELY(read) &&
                    AddToRead(read, thr->self, bytes, loc);
  ClearCellWork(thr);
  return done;
}

// --- For who is at work in the page. -----------------------------------------

// Counts a read that would be cheaper if it were logged: may its cell become
// logged?
bool MayLog(Page *page);
// A read was added to a list: makes its cell logged, unless it may not be, or
// something live has written there.
void LogList(Page *page, AtomicCell *cell);
// A list was changed in place for a read: is it time for its cell to be logged?
void ConsiderLog(Page *page, AtomicCell *cell);

// The word for the list of a logged cell, with all that was logged. The caller
// has begun to change the list (BeginListChange). `own`: the caller's slot, or
// kNoSlot.
Cell CollectLogs(SlotId own, uptr addr, const CellRef &ref, Cell c);

// Forgets all logs.
void ReadLogsReset();

}  // namespace __atsan

#endif  // ATSAN_READ_LOG_H
