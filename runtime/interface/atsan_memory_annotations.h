//===-- atsan_memory_annotations.h ------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that a program's own allocator hands out and takes back (rule 9).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_MEMORY_ANNOTATIONS_H
#define ATSAN_MEMORY_ANNOTATIONS_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

void MemoryBirth(uptr addr, uptr size);
// A death also writes to the whole block, in the way that free does.
void MemoryDeath(uptr addr, uptr size, const AccessPoint &at);

}  // namespace __atsan

#endif  // ATSAN_MEMORY_ANNOTATIONS_H
