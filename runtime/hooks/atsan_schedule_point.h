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

// Stops the thread before an access of a PointKind, if others may notice it.
void StopBeforeAccess(ScheduledThread *self, uptr addr, uptr size, u32 kind,
                      Place *place, const AccessPoint &at);

// Stops the thread before it frees a block: a write of all of its bytes, after
// which they are other memory.
void StopBeforeFree(ScheduledThread *self, uptr addr, uptr size,
                    const AccessPoint &at);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_POINT_H
