//===-- atsan_schedule_shared.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which places of the program access memory of several threads, as far as runs
// have shown: only there, the order of plain accesses can make a difference.
// What one run learns, the next ones know.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_SHARED_H
#define ATSAN_SCHEDULE_SHARED_H

#include "runtime/schedule/atsan_scheduled_thread.h"

namespace __atsan {

// Whether the place is known to access memory of several threads.
bool IsShared(Place *place);
// Notes an access that is about to be executed: no other thread comes between.
void NoteAccess(Place *place, const ScheduledThread *self, uptr addr, uptr size,
                bool is_write);

// Says that the place is a call of a library, whose accesses are no steps.
void MarkAsLibrary(Place *place);
// Whether the place, of which IsShared was asked, is none, but accesses what
// such a call may access in another thread.
bool MeetsLibrary(const Place *place);

// The block ends its life: what is there next is other memory.
void ForgetAccesses(uptr addr, uptr size);

// Counts the accesses of scheduled bodies: none is made where the program was
// not built for control.
void CountAccess();
u64 NumAccesses();
// Whether a run has found a place that was not known.
bool HasLearned();
// A run begins: what it accesses is other memory than before.
void BeginLearning();

void AppendSharedPlaces(InternalMmapVector<u64> *keys);
void AddSharedPlaces(const u64 *keys, uptr count);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_SHARED_H
