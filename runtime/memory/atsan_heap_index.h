//===-- atsan_heap_index.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which live heap block an address is in, quickly: for observers, which ask for
// every pointer that is stored. Nothing is kept before there is an observer.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HEAP_INDEX_H
#define ATSAN_HEAP_INDEX_H

#include "lib/checker/atsan_defs.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

// Blocks that are allocated from now on are found.
void HeapIndexEnable();
// Null if the index is not enabled.
extern ATSAN_HIDDEN atomic_uintptr_t *heap_index_leaves;
inline bool HeapIndexIsEnabled() { return heap_index_leaves != nullptr; }

// Called by atsan_heap.cpp: a live block begins at `begin`, or does not any
// more.
void HeapIndexAdd(uptr begin);
void HeapIndexRemove(uptr begin);

// The begin of the live block that has `addr` among its bytes.
bool HeapIndexFind(uptr addr, uptr *begin);

}  // namespace __atsan

#endif  // ATSAN_HEAP_INDEX_H
