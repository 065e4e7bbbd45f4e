//===-- atsan_defs.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Words shared by every part of the checker: what an access is, how a
// transaction is named, and what a cycle consists of. Plain data only.
//
// A transaction is named (slot, index): the slot stands for a thread, the index
// counts its transactions in program order. Indices of a slot only grow, also
// when a dead thread's slot is taken over by a new thread.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_DEFS_H
#define ATSAN_DEFS_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __atsan {

using namespace __sanitizer;

// For names that other files of the runtime define: they are reached with no
// table of addresses in between, thread-local variables of an executable by a
// constant.
#define ATSAN_HIDDEN __attribute__((visibility("hidden")))

// An interned code location of an access: kind, size, call stack and region.
// 0 means "unknown".
typedef u32 LocId;

typedef u32 SlotId;
typedef u32 TxnIndex;

constexpr TxnIndex kNoIndex = ~0u;  // Later than every transaction.

struct TxnRef {
  SlotId slot;
  TxnIndex index;
};

enum class AccessKind : u8 {
  kRead,
  kWrite,
  kAtomicRead,
  kAtomicWrite,
  kAtomicRmw,
  kFree,         // The end of a heap block counts as a write (rule 9).
  kLockAcquire,  // Only with lock_edges=1.
  kLockRelease,
  kThreadStart,
  kThreadJoin,
};

inline bool IsWrite(AccessKind kind) {
  return kind == AccessKind::kWrite || kind == AccessKind::kAtomicWrite ||
         kind == AccessKind::kAtomicRmw || kind == AccessKind::kFree;
}
inline bool IsAtomic(AccessKind kind) {
  return kind == AccessKind::kAtomicRead || kind == AccessKind::kAtomicWrite ||
         kind == AccessKind::kAtomicRmw;
}

// What a hook knows about the code that it stands for. Interned (see
// InternLocation) only when an access is recorded or takes part in an edge.
struct AccessPoint {
  uptr pc;
  uptr fp;
};

// One edge of the conflict graph with the evidence for it: the earlier event
// `src` and the later event `dst`, on the bytes from `addr`.
struct Edge {
  TxnRef src;
  TxnRef dst;
  LocId src_loc;  // 0 for a join: the end of the joined thread.
  LocId dst_loc;
  u32 src_tid;  // Runtime thread ids, which outlive the slots.
  u32 dst_tid;
  uptr addr;           // First conflicting byte; 0 for thread start and join.
  uptr dst_addr;       // Where the later access begins.
  u64 dst_began : 63;  // The `began` of its thread; 0: not known.
  // In a cycle: `dst` is of a region that began and ended while the region was
  // open that the cycle closes in.
  u64 dst_ran_whole : 1;
};

// The thread of an edge whose source stands for several threads that ended.
constexpr u32 kMergedTid = ~0u;

// A cycle: edges[0] leaves the active transaction in which the cycle closes,
// edges[n-1] is the closing edge and enters it. Where edges[i].dst and
// edges[i+1].src differ, they are an earlier and a later transaction of the
// same thread (program order).
//
// If `summarized`, the way from the active transaction to edges[0].src runs
// through threads that ended, whose transactions were merged since (this takes
// more than kMaxSlots threads while a region stays open).
struct Cycle {
  const Edge *edges;
  uptr size;
  bool summarized;
};

}  // namespace __atsan

#endif  // ATSAN_DEFS_H
