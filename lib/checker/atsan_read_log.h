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

namespace __atsan {

// A read, as an entry of a list. Written by the log's thread only, but for the
// cell's address, which is also taken away when the read was collected.
struct LoggedRead {
  atomic_uintptr_t cell;  // 0: free.
  atomic_uint64_t entry;
  atomic_uint32_t loc;
};

// A cell's reads that begin at the same byte are in one set of the log: so the
// elements of a table find their own. Tests have few sets.
#ifndef ATSAN_LOG_SETS
#define ATSAN_LOG_SETS 256
#endif
constexpr uptr kLogSets = ATSAN_LOG_SETS;
constexpr u32 kLogWays = 4;
struct ReadLog {
  LoggedRead reads[kLogSets][kLogWays];
};

// The log of each slot; mapped when first needed.
extern ATSAN_HIDDEN atomic_uintptr_t read_logs[kMaxSlots];

// The set of the slot's log that has the reads of a cell from byte `first` on,
// or nullptr if the slot has no log.
inline LoggedRead *LoggedReadsOf(SlotId slot, const AtomicCell *cell,
                                 u32 first) {
  uptr log = atomic_load(&read_logs[slot], memory_order_acquire);
  if (!log)
    return nullptr;
  uptr hash = reinterpret_cast<uptr>(cell) / sizeof(Cell);
  hash += hash / kLogSets + first * (kLogSets / kGranule);
  return reinterpret_cast<ReadLog *>(log)->reads[hash % kLogSets];
}
inline u32 FirstByte(u32 bytes) { return LeastSignificantSetBitIndex(bytes); }

// One of the slot's reads of the cell that begin where these bytes do, or
// nullptr; a second one is not looked for.
ALWAYS_INLINE LoggedRead *FindLoggedRead(SlotId slot, const AtomicCell *cell,
                                         u32 bytes) {
  LoggedRead *read = LoggedReadsOf(slot, cell, FirstByte(bytes));
  if (UNLIKELY(!read))
    return nullptr;
  for (u32 i = 0; atomic_load(&read->cell, memory_order_relaxed) !=
                  reinterpret_cast<uptr>(cell);
       read++)
    if (++i == kLogWays)
      return nullptr;
  return read;
}

// Does the logged read say that the transaction has read these bytes?
ALWAYS_INLINE bool CoversLogged(const LoggedRead *read, Cell self, u32 bytes) {
  return CoversRead(atomic_load(&read->entry, memory_order_relaxed), self,
                    bytes);
}

// Has the transaction logged a read of these bytes? The cell was logged.
ALWAYS_INLINE bool CoversInLog(const AtomicCell *cell, Cell self, u32 bytes) {
  const LoggedRead *read = FindLoggedRead(SlotOf(self), cell, bytes);
  return read && CoversLogged(read, self, bytes);
}

inline void PutLoggedRead(LoggedRead *read, uptr cell, Cell entry, LocId loc) {
  // A thread that collects looks at the address before and after it reads the
  // rest.
  atomic_store(&read->cell, 0, memory_order_relaxed);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  atomic_store(&read->entry, entry, memory_order_relaxed);
  atomic_store(&read->loc, loc, memory_order_relaxed);
  atomic_store(&read->cell, cell, memory_order_release);
}

// Logs a read in a region by the log's thread, which is marked as at work in
// the page; the cell is logged. False if the log has no room.
bool AddToLog(Cell self, const AtomicCell *cell, u32 bytes, LocId loc);
// Logs a read by a thread that is at work nowhere. False if the cell is not
// logged, or the log has no room.
bool LogRead(const CheckerThread *thr, uptr addr, u32 bytes, LocId loc);
// Lets a read of these bytes take the place of *read, if it says more, as a
// later one of the same thread does that reads all its bytes. False if it does
// not, or the cell is not logged, or a signal's handler has used the place for
// another cell since it was found. The thread is at work nowhere.
ALWAYS_INLINE bool LogReadAgain(const CheckerThread *thr, uptr addr,
                                const AtomicCell *cell, LoggedRead *read,
                                u32 bytes, LocId loc) {
  if (UNLIKELY(BytesOf(atomic_load(&read->entry, memory_order_relaxed)) &
               ~bytes))
    return false;
  MarkCellWork(thr, addr);
  atomic_signal_fence(memory_order_seq_cst);
  const bool is_logged = atomic_load(&read->cell, memory_order_relaxed) ==
                             reinterpret_cast<uptr>(cell) &&
                         IsLogged(atomic_load(cell, memory_order_acquire));
  if (LIKELY(is_logged))
    PutLoggedRead(read, reinterpret_cast<uptr>(cell), thr->self | bytes, loc);
  ClearCellWork(thr);
  return is_logged;
}
// Logs a read, unless the transaction has done so. As LogRead.
ALWAYS_INLINE bool LogReadOnce(const CheckerThread *thr, uptr addr,
                               const AtomicCell *cell, u32 bytes, LocId loc) {
  LoggedRead *read = FindLoggedRead(thr->slot, cell, bytes);
  return (LIKELY(read) &&
          (CoversLogged(read, thr->self, bytes) ||
           LIKELY(LogReadAgain(thr, addr, cell, read, bytes, loc)))) ||
         LogRead(thr, addr, bytes, loc);
}

// --- For who is at work in the page. -----------------------------------------

// Counts a read that would be cheaper if it were logged: may its cell become
// logged?
bool MayLog(Page *page);
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
