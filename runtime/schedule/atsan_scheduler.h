//===-- atsan_scheduler.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Controlled schedules: one thread of the program runs at a time, and a
// strategy chooses the next one at each point. A point is a place right before
// a step that others may notice: a hook of a scheduled body, an interceptor, a
// mark.
//
// All waiting is modelled here, so that libc never makes a thread wait: a
// thread is chosen only when its step can be made. Time is virtual: it passes
// with the points, and jumps to the next deadline when nobody can go on.
// Threads that wait in the kernel for something else stand outside until they
// are back.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULER_H
#define ATSAN_SCHEDULER_H

#include "runtime/schedule/atsan_scheduled_thread.h"
#include "runtime/state/atsan_thread.h"

// Nonzero while schedules are controlled; scheduled bodies are entered then.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE __sanitizer::u32 __atsan_scheduled;
// What the thread that runs has called last (Called in atsan_schedule_loops.h).
// A scheduled body, when it is entered, makes it zero.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE __sanitizer::u32 __atsan_called;

namespace __atsan {

inline bool SchedulesAreControlled() {
  return __atomic_load_n(&__atsan_scheduled, __ATOMIC_RELAXED) != 0;
}

// The calling thread, if it runs alone, by a strategy or a schedule; else
// nullptr, as within an atomic operation, at which nobody else may go on.
inline ScheduledThread *CurrentScheduled() {
  if (LIKELY(!SchedulesAreControlled()))
    return nullptr;
  Thread *thr = CurrentStoppableThread();
  return thr ? thr->scheduled : nullptr;
}

// --- What threads call. ------------------------------------------------------

// Stops before a step, until the thread is chosen and the guard holds. False:
// the time is over.
bool StopAt(ScheduledThread *self, const Stop &stop);

// A point before a step whose order does not seem to make a difference: the
// thread goes on, unless it waits in a loop or the listener wants it to stop.
void PassBy(ScheduledThread *self, const Stop &stop);

// Something that others may wait for has changed: a thread that waits at the
// object by kWoken is woken, the one that has waited longest first. Returns how
// many were.
u32 WakeAt(uptr object, u32 most);

// A condition is signalled: one of those that wait at it by kCondition now can
// go on.
void SignalAt(uptr condition);
// The thread has waited at a condition, and has been chosen.
void ConditionIsOver(ScheduledThread *self, uptr condition);

// Before a call that may wait for what is not controlled, for so many
// nanoseconds at most. The thread is back at its next stop; virtual time has
// passed by then if it has waited for so long.
void GoOutside(ScheduledThread *self, u64 limit = kNever);
// The calling thread goes outside if it is held where the kernel has nothing
// for it. False: it is not.
bool LeaveWaitForFiles(ScheduledThread *self);

// The program has schedules that no choice leads to.
void LeaveGap(Gap gap);
// Whether the program has a thread that is not controlled, such as one that
// libc made for a timer. A look at the kernel.
bool HasOtherThreads();

// Nanoseconds since the run began; they pass with the points.
u64 VirtualTime();
// Somebody looks at a clock: it goes on.
void LetTimePass();

// Held while what threads wait for is looked at or changed.
class ScopedSchedulerLock {
 public:
  ScopedSchedulerLock();
  ~ScopedSchedulerLock();
};

// --- Life of threads and runs. -----------------------------------------------

// The parent calls it before the child exists; returns the child.
ScheduledThread *ScheduleChild(ScheduledThread *parent, Thread *child);
// The child could not be created.
void ForgetChild(ScheduledThread *child);
// The child exists, and waits for its turn.
void ChildIsThere(ScheduledThread *child);
// The child calls it before anything of the program runs.
void BeginScheduled(Thread *thr);
// The thread's state is about to go.
void ForgetState(ScheduledThread *t);
// The thread's last act.
void EndScheduled(ScheduledThread *self);
// The thread is cancelled: a wait that can be cancelled ends before its time,
// and whoever waits asks libc whether the thread goes on.
void CancelScheduled(u32 tid);
// The scheduled thread with this tid that is not joined; nullptr: none.
ScheduledThread *FindScheduled(u32 tid);

// What the scheduler asks and tells, apart from a strategy.
class RunListener {
 public:
  // Whether the thread is to stop where it would pass by.
  virtual bool StopsAt(const ScheduledThread *at) = 0;
  // The thread to go on with instead of the strategy's choice, or kNoThread.
  // `usual`: who goes on when nobody decides.
  virtual u32 Override(const ScheduledThread *at, const Decision &decision,
                       u32 usual) = 0;
  virtual void OnChoice(const ScheduledThread *at, const Decision &decision,
                        u32 usual, u32 chosen) = 0;
  // No thread can go on. Must not return.
  virtual void OnDeadlock() = 0;
  // For seconds, nobody could go on, and threads are outside.
  virtual void OnIdle() = 0;
  // The run has more points than it may have. Must not return.
  virtual void OnTooLong() = 0;

 protected:
  ~RunListener() = default;
};

// Begins to control the calling thread and those that it will create.
void BeginRun(Thread *thr, Strategy *strategy, RunListener *listener,
              u64 most_points);
// The calling thread goes on alone, uncontrolled; the others have ended.
void EndRun();

// Whether another process, or a thread that nobody controls, has taken part.
bool HasMetOthers();

// The instrumented modules of the program, mostly source files: those that have
// points, and those that were compiled without -fatomicity-schedule.
struct ModuleCounts {
  u32 with_points, without_points;
};
ModuleCounts CountModules();
void NoteModuleOfSchedules(bool has_points);

// The threads of the run, by number; for choices, deadlock reports and the end.
const InternalMmapVector<ScheduledThread *> &ScheduledThreads();
u64 PointsOfRun();
u64 ClassOfRun();
u32 ThreadsOfRun();

}  // namespace __atsan

#endif  // ATSAN_SCHEDULER_H
