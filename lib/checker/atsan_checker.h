//===-- atsan_checker.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The summarized-conflict-graph checker (Farzan and Madhusudan, CAV'08, section
// 3.1, with the corrections of docs/semantics.md): the events of a run go in,
// violations come out at the event that closes a cycle.
//
// It neither prints nor knows pthreads, so that the unit tests drive the very
// same code. Every function is called by the thread that it names (`thr`),
// unless it says otherwise; calls of different threads may run in parallel.
// Errors of the caller (region end without begin) are the runtime's to find.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CHECKER_H
#define ATSAN_CHECKER_H

#include "lib/checker/atsan_cell.h"
#include "lib/checker/atsan_defs.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

// The part of a thread's state that the checker owns. Zero-initialized.
struct CheckerThread {
  Cell self;              // (slot, index) in cell encoding, masks empty.
  struct CellWork *work;  // Where the slot is at work (atsan_page.h).
  SlotId slot;
  // The word of pages that the slot owns (atsan_page.h).
  u32 owner_word;
  TxnIndex index;  // Index of the current transaction; unary ones may share it.
  // Regions begin without a look at the slot up to this index; 0: none has
  // begun in it.
  TxnIndex last_quick;
  const u32 *row_size;  // How much the slot's row has (atsan_graph_internal.h).
  u32 tid;              // The runtime's id, for reports.
  u64 began;     // When the region began, by the processor's clock, if the gate
                 // counts it; else 0.
  bool active;   // The thread is inside a region.
  bool has_run;  // Had a region, or an event outside, with the gate open.
  bool holds_gate;  // The thread's region is one of those that the gate counts.
  // Hooks outside regions until the thread looks whether it should be closed.
  s32 hooks_left;
  u32 hooks_per_look;
  u32 regions_counted;  // Regions since the thread has left the gate open.
  u32 regions_seen;     // Regions of all threads when the thread looked last.
  // preds[u]: the latest transaction of slot u with an edge into this thread.
  TxnIndex *preds;
  u32 num_preds;
  u32 preds_epoch;
  // The last cycle that an event closed. Kept, because a run that goes on may
  // find it again at each access.
  InternalMmapVectorNoCtor<Edge> cycle;
};

// A thread that has ended, for its joiner.
struct EndedThread {
  TxnRef last;
  u32 tid;
  bool has_run;  // If false, its join orders nothing.
};

// Indices have 32 bits; a few are left for the unary transactions after a
// region that began with the last one.
constexpr TxnIndex kDefaultMaxIndex = 0xfffffff0u;

struct CheckerOptions {
  // Tests lower max_slots and max_index to reach the rare paths.
  u32 max_slots = kMaxSlots;  // At most kMaxSlots.
  // A thread moves to a new slot after this index.
  TxnIndex max_index = kDefaultMaxIndex;
  // May the gate be open while there is no region?
  bool gate_stays = true;
};

// --- Seams: defined by the runtime, and by the unit tests. -------------------

// Returns the id of the location of an access by `thr`. Called with cells
// locked: must not call into the checker.
LocId InternLocation(CheckerThread *thr, const AccessPoint &at, AccessKind kind,
                     uptr size);
// An active region has come to reach the region that `thr` is in, by an event
// that has its location: later ones are to get other locations, so that a
// report can tell whether a region was left after it was entered. Called with
// cells and the graph locked.
void OnRegionEntered(CheckerThread *thr);
// Called without any lock of the checker held, once per closing access.
void OnViolation(CheckerThread *thr, const Cycle &cycle);

// --- Life of the checker and of threads. -------------------------------------

// Call once, before anything else.
void CheckerInit(const CheckerOptions &options = {});
// Forgets everything, for tests and in the child of a fork, but the table of
// mixed locations: what it says stays true, and clearing it would make a child
// copy all of it. No other thread may use the checker.
void CheckerReset();

// `parent` starts `child` (parent == nullptr: the main thread, or one that was
// started unseen). Called by the parent before the child runs. The boundary
// that a thread start is (rule 5) is the caller's business.
void CheckerThreadCreate(CheckerThread *parent, const AccessPoint &at,
                         CheckerThread *child, u32 child_tid);
// The last event of `thr`; ends its region, if any. Unless `will_be_joined`,
// CheckerThreadJoin may not be called with the result.
EndedThread CheckerThreadEnd(CheckerThread *thr, bool will_be_joined);
void CheckerThreadJoin(CheckerThread *thr, const AccessPoint &at,
                       const EndedThread &ended);
// An ended joinable thread will never be joined (any thread may call).
void CheckerThreadDetach(const EndedThread &ended);

// --- Regions: outermost begin and end only. ----------------------------------

void CheckerRegionBegin(CheckerThread *thr);
void CheckerRegionEnd(CheckerThread *thr);

// --- Accesses. ---------------------------------------------------------------

// An access of `size` bytes at addr: one event, whatever their number and
// alignment.
void CheckerAccess(CheckerThread *thr, uptr addr, uptr size, AccessKind kind,
                   const AccessPoint &at);
// An access inside a region, with the id of its location.
void CheckerAccessInRegion(CheckerThread *thr, uptr addr, uptr size,
                           AccessKind kind, const AccessPoint &at, LocId loc);
// `count` events of `size` bytes each, at first, first + stride, ..., in this
// order; one location stands for all, and one of them at most is reported.
// Inside a region `loc` may be its id, for accesses that are not all known.
void CheckerAccessStrided(CheckerThread *thr, uptr first, uptr size,
                          sptr stride, uptr count, AccessKind kind,
                          const AccessPoint &at, LocId loc = 0);
// Inside a region: `rows` times `width` accesses of `size` bytes each, next to
// each other, the first of each row at first, first + stride, ...; all are of
// one location.
void CheckerAccessRows(CheckerThread *thr, uptr first, uptr size, uptr width,
                       sptr stride, uptr rows, AccessKind kind,
                       const AccessPoint &at);
// The bytes die or are born: their history is forgotten (rule 9). `thr` is the
// calling thread, or nullptr if it is none.
void CheckerForget(const CheckerThread *thr, uptr addr, uptr size);
inline void CheckerForget(uptr addr, uptr size) {
  CheckerForget(nullptr, addr, size);
}

// The bytes die, and are about to be unmapped: what is remembered of whole
// pages takes no memory any more.
void CheckerUnmap(const CheckerThread *thr, uptr addr, uptr size);

// Lock operations, for lock_edges=1 (rule 6): release -> next acquire, shared
// releases -> next exclusive acquire. `addr` is the lock, at least 4 bytes big.
enum class LockMode { kShared, kExclusive };
void CheckerAcquire(CheckerThread *thr, uptr addr, LockMode mode,
                    const AccessPoint &at);
void CheckerRelease(CheckerThread *thr, uptr addr, LockMode mode,
                    const AccessPoint &at);

// Locks that the parent takes before a fork, and both processes give back
// after.
void CheckerLockForFork();
void CheckerUnlockAfterFork();

// For tools that read traces, and have a limit of memory. The rows of the graph
// (atsan_graph.h) may take so many bytes more than they have by now. Once they
// are full, edges are left out, so that the caller should decide nothing more.
void CheckerLimitRows(uptr more_bytes);
bool CheckerRowsAreFull();
// At most how many bytes of shadow an access of the range would take anew.
uptr CheckerShadowNeeded(uptr addr, uptr size);

// Figures for print_stats and for tests of bounded memory.
struct CheckerStats {
  u64 active_transactions;
  // Pairs of active transactions of which one reaches the other.
  u64 active_edges;
  u64 edges_added;
  u64 slots_used;
  u64 slots_merged;
  u64 shadow_bytes;   // Mapped shadow leaves.
  u64 detail_blocks;  // Blocks in use.
  u64 edge_records;   // Records in use.
  // How many numbers of rows were looked at: what the graph costs.
  u64 numbers_looked_at;
};
CheckerStats CheckerGetStats();

}  // namespace __atsan

// The gate in front of every inlined access check. If not 0, it is open: it is
// the number of open regions that it counts (and of observers), and a bit that
// leaves it open (atsan_gate.cpp), whereupon no more are counted.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE __sanitizer::u32 __atsan_gate;

#endif  // ATSAN_CHECKER_H
