//===-- atsan_access.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One access on one granule: which edges it adds, what is remembered of it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_ACCESS_H
#define ATSAN_ACCESS_H

#include "atsan_graph.h"
#include "atsan_shadow.h"

namespace __atsan {

enum class AccessPart {
  kEdgesAndRecord,
  kEdgesOnly,
  kRecordOnly,
};

// The bytes (bit mask) of the granule at `granule` are read or written.
void AccessGranule(EventContext *ev, uptr granule, u32 bytes, bool is_write,
                   AccessPart part);
// Inside a region: `count` accesses of `size` bytes (at most a granule) each,
// as far as they need neither edges nor lists, nor cross the border of a
// granule. Returns how many were done; the next one is for AccessGranule.
uptr RecordEvenly(EventContext *ev, uptr addr, u32 size, sptr stride,
                  uptr count, bool is_write);
// Outside regions: can nothing ever reach these bytes' access, and does it
// conflict with nothing live? A false answer is always right.
bool IsIrrelevantOutside(const CheckerThread *thr, uptr addr, uptr size,
                         bool is_write);
// The history of the bytes ends. `thr`: who calls, or nullptr.
void ForgetGranule(const CheckerThread *thr, uptr granule, u32 bytes);

}  // namespace __atsan

#endif  // ATSAN_ACCESS_H
