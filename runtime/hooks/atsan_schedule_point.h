//===-- atsan_schedule_point.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A point before an access, for hooks that tell of the access themselves.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_POINT_H
#define ATSAN_SCHEDULE_POINT_H

#include "runtime/schedule/atsan_scheduler.h"

namespace __atsan {

// To be called before an access of a PointKind, while schedules are controlled:
// stops the thread if others may notice the access, or if it is too early.
// `state`: see Stop.
void PointBeforeAccess(uptr addr, uptr size, u32 kind, Place *place,
                       const AccessPoint &at, uptr state = 0);

// To be called likewise before a block is freed: a write of all of its bytes,
// after which they are other memory.
void PointBeforeFree(uptr addr, uptr size, const AccessPoint &at);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_POINT_H
