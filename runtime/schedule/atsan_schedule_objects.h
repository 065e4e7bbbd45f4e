//===-- atsan_schedule_objects.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads wait for while schedules are controlled: who holds each lock,
// and which signals a condition has left. Called by the thread that has the
// baton.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_OBJECTS_H
#define ATSAN_SCHEDULE_OBJECTS_H

#include "runtime/schedule/atsan_scheduled_thread.h"

namespace __atsan {

// --- Locks. ------------------------------------------------------------------

bool LockIsFree(uptr lock, u32 thread, bool shared);
void NoteLocked(uptr lock, u32 thread, bool shared);
// A lock that seemed free is not: somebody holds it that was not seen to take
// it. Nobody tries again before it is given back.
void NoteHeldUnseen(uptr lock);
void NoteUnlocked(uptr lock, u32 thread);
// The lock, which was just taken, is given back when the thread ends.
void NoteRobust(uptr lock);
void NoteEndOfHolder(u32 thread);
// The number of a thread that holds the lock; kNoThread: not known.
u32 HolderOf(uptr lock);

// --- Conditions. -------------------------------------------------------------

// A signal wakes one of those that wait now, whoever goes on first. `waiting`:
// when they came. It is lost if earlier signals wake all of them.
void NoteSignal(uptr condition, u64 now,
                const InternalMmapVector<u64> &waiting);
bool HasSignalFor(uptr condition, u64 ticket);
void TakeSignal(uptr condition, u64 ticket);

// --- Barriers. ---------------------------------------------------------------

// Counts a thread that has come to a barrier for so many: true for the last.
bool ArriveAt(uptr barrier, u32 parties);

// Forgets all: a run is over.
void ForgetObjects();

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_OBJECTS_H
