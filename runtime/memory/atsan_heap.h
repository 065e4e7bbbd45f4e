//===-- atsan_heap.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who allocated which live heap block, for reports. Bookkeeping only: that the
// birth and the death of a block mean something to the checker (rule 9) is the
// interceptors' business.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HEAP_H
#define ATSAN_HEAP_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

struct HeapBlock {
  uptr begin;
  uptr size;
  u32 alloc_stack_id;  // The id of the stack in the stack depot.
  u32 alloc_tid;
  // The block is not live any more, but nothing else has taken its place.
  bool freed;
};

// The two are called by interceptors, outside the allocator's own locks, in the
// runtime (ScopedInRuntime).
void HeapBlockAllocated(Thread *thr, uptr ptr, uptr size,
                        const AccessPoint &at);
void HeapBlockFreed(uptr ptr);

// The block around `addr`, which may be an interior address. For reports: scans
// the table.
bool HeapBlockFind(uptr addr, HeapBlock *out);

// The live block that begins at `begin`.
bool HeapBlockAt(uptr begin, HeapBlock *out);

// Does an allocator of the program's own stand in front of our interceptors,
// and not tell us what lives (__atsan_memory_birth)? Then the same memory,
// handed out twice, is one datum for the checker.
extern bool heap_is_unseen;

// Does libc stand in front of all our interceptors? So it is if a program
// without the sanitizer loads a library that has it.
extern bool libc_is_unseen;

// Around fork: a thread that does not survive may be at work in the table.
void HeapLockForFork();
void HeapUnlockAfterFork();

// --- The table. --------------------------------------------------------------

inline u64 HeapHash(uptr number) { return number * 0x9e3779b97f4a7c15ull; }

// The slot of a block, modulo the number of slots. Blocks that are allocated
// one after the other are often neighbours, and die together: those in 128
// bytes of memory have a cache line of the table. With more memory for one
// place, rows of used slots would be long.
constexpr uptr kHeapSlotsPerLine = 4;
inline uptr HeapTablePlace(uptr ptr) {
  const uptr slot = ptr / 32;  // Most blocks take that, or more.
  const uptr line = HeapHash(slot / kHeapSlotsPerLine) >> 32;
  return line * kHeapSlotsPerLine + slot % kHeapSlotsPerLine;
}

}  // namespace __atsan

#endif  // ATSAN_HEAP_H
