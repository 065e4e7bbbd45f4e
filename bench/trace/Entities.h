//===-- Entities.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which entities (docs/semantics.md: bytes, from birth to death) of a recorded
// run do several threads access? The others cannot be part of a conflict; like
// the authors of the paper, we leave their events out before any checker runs.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BENCH_ENTITIES_H
#define ATSAN_BENCH_ENTITIES_H

#include "Trace.h"

#include <cstddef>
#include <vector>

namespace trace {

struct SharedRun {
  // Accesses, regions and threads; not the deaths of entities.
  uint64_t NumEvents = 0;
  uint64_t NumSharedEvents = 0;
  // Neighbouring bytes that are always accessed together count as one.
  uint64_t NumSharedEntities = 0;
  unsigned NumThreads = 0;
  // What is left for the checkers, deaths of shared entities among it.
  std::vector<Record> Records;
};

SharedRun selectShared(const Record *Records, size_t Count);

} // namespace trace

#endif // ATSAN_BENCH_ENTITIES_H
