//===-- atsan_schedule_loops.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that wait: a thread that reads the same again and again, while nobody
// changes anything, lets others go first. If it was chosen again and again,
// nothing would ever happen.
//
// That it seems so, after a few rounds, is enough to choose by chance. A search
// that claims to be complete wants to know: a loop that counts its rounds ends
// by itself. It is proven when two rounds were the same, the thread's stack and
// registers, too: then all rounds to come are the same until others write.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_LOOPS_H
#define ATSAN_SCHEDULE_LOOPS_H

#include "runtime/schedule/atsan_scheduled_thread.h"

namespace __atsan {

// After so many rounds a thread seems to spin.
constexpr u32 kFewRounds = 3;

// The value there, of at most 8 bytes; 0 if it cannot be read: a point is
// before the access, and a fault there is the program's, not ours.
u64 ValueAt(uptr addr, uptr size);

// Whether the step may change what others wait for, as far as is known before
// it is executed.
inline bool IsChange(const Stop &stop) {
  return stop.step.kind != StepKind::kRead &&
         stop.step.kind != StepKind::kLocal && !stop.may_write_same;
}
// Before and after a step that may write what was there before. The second
// returns whether it wrote something else.
void BeginOverwriting(ScheduledThread *self);
bool EndOverwriting(ScheduledThread *self);

// What a scheduled body calls, until that has come to a point of its own.
enum class Called : u32 {
  kNothing,
  kInterceptor,
  kUnknown,  // It may have no points, but call functions that have.
};

// A scheduled body is about to call a function; or it came to a point of its
// own, and calls nothing. Whatever it has called before has returned.
void NoteCall(ScheduledThread *self, Called next);

// What the thread does next has no points.
void NoteLeaving(ScheduledThread *self);

// The thread has come to its stop at a virtual time; so many changes were made
// by all threads.
void NoteRepetition(ScheduledThread *self, u64 changes, u64 time);

// The thread looked at a clock: its loop may end by time.
void NoteClock(ScheduledThread *self);

// What the thread tried has worked: this was no round of a loop that waits.
void ForgetRepetition(ScheduledThread *self);

// Whether the loop takes locks, and gives them back.
inline bool HasLocks(const Repetition &r) {
  return r.now.has_locks || r.last.has_locks;
}

// Whether it is proven that the thread waits, but for something that is no step
// of another one: it looks in code without points.
inline bool WaitsUnseen(const ScheduledThread *t) {
  return t->repetition.is_proven && t->repetition.last.num_steps == 0;
}

// Whether that is proven as far as code goes that is instrumented, but the loop
// leaves it: it may end by what is counted there.
inline bool WaitsOutside(const ScheduledThread *t) {
  return t->repetition.is_proven && t->repetition.last.leaves;
}

// A step was executed that has changed something: a thread that waits in a loop
// and reads it may have what it waits for.
void NoteWrite(ScheduledThread *reader, const Step &step);

// Whether the thread seems to wait in a loop, after a few rounds, or asks to
// let others go first, and nobody has written since what it reads.
bool SeemsToSpin(const ScheduledThread *t);

// Whether it seems so to somebody who has seen so many rounds.
bool SeemsToSpin(const ScheduledThread *t, u32 patience);

// Whether the thread goes round for ever unless others change what it reads: it
// has done so for many rounds, without a look at a clock or a lock, and in code
// that is instrumented.
bool SpinsForEver(const ScheduledThread *t);

// Whether the thread goes round, and has done so for many rounds, until others
// write or time has passed.
bool SpinsForTime(const ScheduledThread *t);

// Says of the thread what is proven, or that it only seems so.
void ProveSpinning(const ScheduledThread *t, Candidate *candidate);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_LOOPS_H
