//===-- atsan_merge.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merging the transactions of dead threads that the same active transactions
// reach.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_MERGE_H
#define ATSAN_MERGE_H

#include "lib/checker/atsan_graph_internal.h"

namespace __atsan {

// Replaces traces of dead slots in all of shadow memory by traces of others
// that stand for the same set of reaching transactions, and drops those that
// nothing reaches. *emptied: the slots of which nothing is left. The other
// threads go on meanwhile. Caller: keeps slots from being allocated.
void MergeDeadSlots(const SlotId *dead, uptr n,
                    InternalMmapVector<SlotId> *emptied);

}  // namespace __atsan

#endif  // ATSAN_MERGE_H
