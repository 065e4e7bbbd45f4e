//===-- atsan_schedule_library.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The points of atsan_schedule_library.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_schedule_library.h"

#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_shared.h"
#include "runtime/schedule/atsan_schedule_sync.h"

namespace __atsan {

void LibraryPoint(ScheduledThread *self, Place *place, HiddenState hidden,
                  const AccessPoint &at) {
  if (self->calls_kernel) {
    self->calls_kernel = false;
    return;
  }
  Stop stop = SyncStop(place, reinterpret_cast<void *>(kLibraryObject), at);
  stop.step.interesting = IsShared(place);
  stop.repeats = true;
  if (stop.step.interesting)
    StopAt(self, stop);
  else
    PassBy(self, stop);
  NoteLeaving(self);  // The function may count, as rand_r does.
  if (hidden != HiddenState::kUntouched)
    NoteLibraryAccess(self, place, kHiddenState, 1,
                      hidden == HiddenState::kWritten);
}

void NoteLibraryAccess(ScheduledThread *self, Place *place, uptr addr,
                       uptr size, bool is_write) {
  MarkAsLibrary(place);
  NoteAccess(place, self, addr, size, is_write);
}

}  // namespace __atsan
