//===-- atsan_access.cpp ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The granule's cell is looked at without a lock first. Most accesses end
// there: the transaction has recorded the same already, or the thread is
// outside every region, nothing active reaches it, and the cell holds nothing
// live that conflicts (then nobody can ever reach this access: it is not
// recorded at all). Otherwise the thread takes the cell for itself, adds edges,
// and lets the access take the place of what it supersedes.
//
// Inside regions most of the rest needs neither an edge nor a new list of
// several: atsan_quick.h has these.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_access.h"

#include "lib/checker/atsan_detail.h"
#include "lib/checker/atsan_exempt.h"
#include "lib/checker/atsan_quick.h"
#include "lib/checker/atsan_read_log.h"
#include "lib/checker/atsan_sweep.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

ExemptMemory exempt_memory;

void AddExempt(uptr begin, uptr size) {
  u32 count = atomic_load(&exempt_memory.count, memory_order_relaxed);
  if (!size || count == kMaxExemptRanges || IsExempt(begin))
    return;
  exempt_memory.ranges[count] = {begin, size};
  atomic_store(&exempt_memory.count, count + 1, memory_order_release);
}

namespace {

struct GranuleAccess {
  EventContext *ev;
  uptr granule;
  u32 bytes;
  bool is_write;
  AccessPart part;

  CheckerThread *Thread() const { return ev->thr; }

  // Is the access to be recorded, since something active reaches it? (A region
  // reaches itself.) Asked anew after edges were added.
  bool IsRecorded() const {
    return part != AccessPart::kEdgesOnly &&
           (Thread()->active || IsReached(Thread()));
  }

  bool NeedsEdgeFrom(Cell entry) const {
    return part != AccessPart::kRecordOnly && SlotOf(entry) != Thread()->slot &&
           ConflictingBytes(entry, bytes, is_write) && IsLive(TxnOf(entry));
  }
};

enum class Verdict { kNothingToDo, kWork };

// What an access has to do with a one-transaction cell.
Verdict InspectSingle(const GranuleAccess &a, Cell c, bool record) {
  Cell self = a.Thread()->self;
  if (a.is_write ? Covers<true>(c, self, a.bytes)
                 : Covers<false>(c, self, a.bytes))
    return Verdict::kNothingToDo;
  return record || a.NeedsEdgeFrom(c) ? Verdict::kWork : Verdict::kNothingToDo;
}

// What an access has to do with a list. The caller verifies that the list did
// not change meanwhile.
Verdict InspectDetail(const GranuleAccess &a, Cell c, bool record) {
  Cell self = a.Thread()->self;
  bool edge = false, shared = false;
  u32 covered = 0;
  ForEachEntry(BlockOf(c), [&](Cell e, LocId, atomic_uint64_t *) {
    if (SameTxn(e, self))
      covered |= a.is_write ? WritesOf(e) : BytesOf(e);
    else if (BytesOf(e) & a.bytes)
      shared = true;
    if (a.NeedsEdgeFrom(e))
      edge = true;
    return true;
  });
  // A write is only a repetition if nobody has accessed the bytes since.
  if ((covered & a.bytes) == a.bytes && !(a.is_write && shared))
    return Verdict::kNothingToDo;
  return record || edge ? Verdict::kWork : Verdict::kNothingToDo;
}

void AddEdgeFrom(const GranuleAccess &a, Cell entry, LocId loc) {
  if (!a.NeedsEdgeFrom(entry) || IsImplied(a.Thread(), TxnOf(entry)))
    return;
  u32 conflict = ConflictingBytes(entry, a.bytes, a.is_write);
  uptr addr = a.granule + LeastSignificantSetBitIndex(conflict);
  if (!IsExempt(addr))
    GraphAddEdge(a.ev, TxnOf(entry), loc, addr);
}

void AddEdgesSingle(const GranuleAccess &a, Cell c, const LocId *locs) {
  if (!c)
    return;
  u32 conflict = ConflictingBytes(c, a.bytes, a.is_write);
  if (!conflict)
    return;
  u32 byte = LeastSignificantSetBitIndex(conflict);
  AddEdgeFrom(a, c, LocOfByte(locs[byte / kHalfBytes], byte % kHalfBytes));
}

void AddEdgesDetail(const GranuleAccess &a, Cell c) {
  ForEachEntry(BlockOf(c), [&](Cell e, LocId loc, atomic_uint64_t *) {
    AddEdgeFrom(a, e, loc);
    return true;
  });
}

// Makes the list for a one-transaction cell.
BlockId ExpandToDetail(Cell c, const LocId *locs) {
  const BlockId block = AllocBlock();
  AddCell(block, c, locs);
  return block;
}

// What is recorded of an access.
struct Mark {
  Cell self;
  u32 bytes;
  bool is_write;
  LocId loc;
};

void RecordDetail(const Mark &m, BlockId block) {
  u32 added = m.bytes;
  // A read adds nothing to what the transaction has done to a byte before.
  if (!m.is_write)
    ForEachEntry(block, [&](Cell e, LocId, atomic_uint64_t *) {
      if (SameTxn(e, m.self))
        added &= ~BytesOf(e);
      return true;
    });
  ForEachEntry(block, [&](Cell e, LocId, atomic_uint64_t *place) {
    u32 writes = WritesOf(e), reads = ReadsOf(e);
    if (m.is_write) {
      writes &= ~added;
      reads &= ~added;
    } else if (SlotOf(e) == SlotOf(m.self)) {
      reads &= ~added;  // The later read of the same thread says more.
    }
    bool drop = !(writes | reads) || !IsLive(TxnOf(e));
    atomic_store_relaxed(place,
                         drop ? kEmptyCell : WithMasks(e, writes, reads));
    return true;
  });
  if (added)
    AddEntry(
        block,
        m.is_write ? WithMasks(m.self, added, 0) : WithMasks(m.self, 0, added),
        m.loc);
}

// Records an access in a list, and makes a cell of it.
Cell RecordInList(const Mark &m, BlockId block, LocId *locs) {
  if (m.is_write && m.bytes == kWhole) {
    // It takes the place of all that is there.
    FreeChain(block);
    Cell c;
    RecordAnew</*kIsWrite=*/true>(m.self, m.bytes, m.loc, &c, locs);
    return c;
  }
  RecordDetail(m, block);
  return FinishDetail(block, locs);
}

Cell Record(const Mark &m, Cell c, LocId *locs) {
  if (IsDetail(c))
    return RecordInList(m, BlockOf(c), locs);
  if ((m.is_write ? RecordSingle<true> : RecordSingle<false>)(m.self, m.bytes,
                                                              m.loc, &c, locs))
    return c;
  // What is left of the cell and the access are of two transactions, or at more
  // locations than a cell has.
  const BlockId block = ExpandToDetail(c, locs);
  RecordDetail(m, block);
  return NewDetailCell(block);
}

}  // namespace

bool RecordInOwnList(Cell self, u32 bytes, bool is_write, LocId loc,
                     AtomicCell *cell) {
  LocId *locs = LocsOf(cell);
  Cell c = atomic_load(cell, memory_order_relaxed);
  if (IsSingle(c)) {
    BlockId fresh = ExpandToDetail(c, locs);
    RecordDetail({self, bytes, is_write, loc}, fresh);
    atomic_store(cell, NewDetailCell(fresh), memory_order_release);
    return true;
  }
  const BlockId block = BlockOf(c);
  bool own = false, edge = false;
  ForEachEntry(block, [&](Cell e, LocId, atomic_uint64_t *) {
    own |= SameTxn(e, self);
    edge |= SlotOf(e) != SlotOf(self) && ConflictingBytes(e, bytes, is_write) &&
            IsLive(TxnOf(e));
    return !edge;
  });
  if (!own || edge)
    return false;
  BeginListChange(cell);
  const Mark m = {self, bytes, is_write, loc};
  // The cell has a list until all of it is written at once: strings grow by
  // bytes.
  if (bytes == kWhole || IsLastInGroup(c)) {
    c = RecordInList(m, block, locs);
  } else {
    RecordDetail(m, block);
    c = NextInGroup(c);
  }
  atomic_store(cell, c, memory_order_release);
  return true;
}

Cell Unsweep(uptr granule, const CellRef &ref) {
  Cell c = kEmptyCell;
  ForEachSweep(ref.page, [&](Cell sweep, LocId loc) {
    if (SweepContains(sweep, granule) && IsLive(TxnOf(sweep)))
      c = Record(
          {SelfOfSweep(sweep), BytesOfSweep(sweep), IsWriteSweep(sweep), loc},
          c, ref.locs);
  });
  return c;
}

namespace {

void UnsweepCell(const CheckerThread *thr, uptr granule, const CellRef &ref) {
  EnterPage(thr, granule, ref.page);
  if (IsSwept(atomic_load(ref.cell, memory_order_relaxed))) {
    EndsSwept(ref.page, granule);
    ChangeSweepCredit(ref.page, -kUnsweepCost);
    atomic_store(ref.cell, Unsweep(granule, ref), memory_order_release);
  }
  LeavePage(thr, ref.page);
}

void CollectCell(const CheckerThread *thr, uptr granule, const CellRef &ref) {
  EnterPage(thr, granule, ref.page);
  Cell c = atomic_load(ref.cell, memory_order_relaxed);
  if (IsLogged(c)) {
    BeginListChange(ref.cell);
    atomic_store(ref.cell, CollectLogs(thr->slot, granule, ref, c),
                 memory_order_release);
  }
  LeavePage(thr, ref.page);
}

void WaitForUnlock(u32 *spins) {
  if (++*spins % 16)
    proc_yield(10);
  else
    internal_sched_yield();
}

// Gives the calling thread the cell alone until ReleaseCell, if the cell still
// holds `expected`.
bool TakeCell(const CheckerThread *thr, uptr granule, const CellRef &ref,
              Cell expected) {
  EnterPage(thr, granule, ref.page);
  if (atomic_load(ref.cell, memory_order_relaxed) != expected) {
    LeavePage(thr, ref.page);
    return false;
  }
  if (IsDetail(expected))
    BeginListChange(ref.cell);
  return true;
}

bool IsOnlyRead(Cell c) { return IsSingle(c) && BytesOf(c) && !WritesOf(c); }

// Makes logged cells of all that are only read and share a cache line with
// `cell`: a thread that changes one takes the others from the threads that
// read.
void LogCacheLine(AtomicCell *cell) {
  constexpr uptr kBytes = Min<uptr>(SANITIZER_CACHE_LINE_SIZE,
                                    kShadowPage / kGranule * sizeof(Cell));
  cell = reinterpret_cast<AtomicCell *>(
      RoundDownTo(reinterpret_cast<uptr>(cell), kBytes));
  for (uptr i = 0; i < kBytes / sizeof(Cell); i++, cell++) {
    Cell c = atomic_load(cell, memory_order_relaxed);
    if (IsOnlyRead(c))
      atomic_store(cell,
                   NewDetailCell(ExpandToDetail(c, LocsOf(cell))) | kLoggedBit,
                   memory_order_release);
  }
}

// Takes the cell unless the access has nothing to do with it. *taken: what the
// cell holds.
bool TakeForWork(const GranuleAccess &a, const CellRef &ref, Cell *taken) {
  for (u32 spins = 0;;) {
    Cell c = atomic_load(ref.cell, memory_order_acquire);
    if (IsLocked(c)) {
      WaitForUnlock(&spins);
      continue;
    }
    if (IsSwept(c)) {
      UnsweepCell(a.Thread(), a.granule, ref);
      continue;
    }
    bool record = a.IsRecorded();
    if (c == kEmptyCell && !record)
      return false;
    Verdict verdict =
        IsDetail(c) ? InspectDetail(a, c, record) : InspectSingle(a, c, record);
    // For a read the list says all: there are no writes in logs.
    if (IsLogged(c) && (a.is_write || verdict == Verdict::kWork)) {
      // The cell has come to be logged since the hook looked at it.
      if (record && !a.is_write &&
          LogRead(a.Thread(), a.granule, a.bytes, a.ev->Loc()))
        return false;
      CollectCell(a.Thread(), a.granule, ref);
      continue;
    }
    if (verdict == Verdict::kNothingToDo) {
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (!IsDetail(c) || atomic_load(ref.cell, memory_order_relaxed) == c)
        return false;
      continue;
    }
    *taken = c;
    if (TakeCell(a.Thread(), a.granule, ref, c))
      return true;
  }
}

}  // namespace

void AccessGranule(EventContext *ev, uptr granule, u32 bytes, bool is_write,
                   AccessPart part) {
  GranuleAccess a = {ev, granule, bytes, is_write, part};
  if (!a.IsRecorded() && !ShadowFind(granule))
    return;
  CellRef ref = ShadowGet(granule);
  Cell c;
  if (!TakeForWork(a, ref, &c))
    return;
  if (IsDetail(c))
    AddEdgesDetail(a, c);
  else
    AddEdgesSingle(a, c, ref.locs);
  if (a.IsRecorded())
    c = Record({a.Thread()->self, bytes, is_write, ev->Loc()}, c, ref.locs);
  atomic_store(ref.cell, c, memory_order_release);
  if (!is_write && IsDetail(c) && IsFull(BlockOf(c))) {
    // Each further reader would walk along the list of all open ones.
    LogList(ref.page, ref.cell);
  } else if (UNLIKELY(MeetsOthers(ref.page)) && IsSingle(c)) {
    if (WritesOf(c))
      ShareByCells(ref.page);
    else if (MayLog(ref.page))
      LogCacheLine(ref.cell);
  }
  LeavePage(a.Thread(), ref.page);
}

}  // namespace __atsan
