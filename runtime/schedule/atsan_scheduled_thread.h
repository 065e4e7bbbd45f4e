//===-- atsan_scheduled_thread.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread whose schedule is controlled: it runs while it has the baton, and is
// held at its next step while another one has it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULED_THREAD_H
#define ATSAN_SCHEDULED_THREAD_H

#include "lib/base/Abi.h"
#include "lib/checker/atsan_checker.h"
#include "lib/schedule/atsan_strategy.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_dense_map.h"

namespace __atsan {

struct FileToAwait;  // atsan_schedule_wait.h
struct Thread;
using atsan_abi::Place;

// What must be so before a step can be executed.
enum class Guard : u8 {
  kNone,
  kLock,        // The step's object is a lock that is free.
  kSharedLock,  // The object is a lock that is free, or held by readers only.
  kCondition,   // A signal has come; and the second object is a free lock.
  kSemaphore,   // It can be decreased.
  kWoken,       // Somebody has called Wake: a futex, a barrier.
  kOnce,        // Nobody runs the function of a once-control.
  kInitialize,  // Nobody initializes the static variable of a guard.
  kThreadEnd,   // The thread `target` has ended.
  kFiles,       // The kernel has something for a reader of one of `files`.
  kTime,        // Never: only time passes.
};

constexpr u64 kNever = ~0ull;

// A step that a thread is about to make, and where.
struct Stop {
  Step step;
  const Place *place;
  AccessPoint at = {};
  Guard guard = Guard::kNone;
  u32 target = kNoThread;              // Number of a thread, for kThreadEnd.
  const FileToAwait *files = nullptr;  // On the stack of the thread.
  u32 num_files = 0;
  u64 deadline = kNever;  // Virtual time at which the step is made anyway.
  bool yields = false;    // The thread asks to let others go first.
  bool repeats = false;   // It may be a round of a loop that waits.
  // The step is an atomic operation that may write. One that leaves the value
  // as it was, such as a try to take a spin lock, changes nothing for others.
  bool may_write_same = false;
  bool locks = false;   // A lock is taken, or given back.
  bool passes = false;  // The step makes no difference to others.
  // All that the thread's own state consists of is on its stack from there on,
  // with the registers; 0: not known.
  uptr state = 0;
};

// What a thread does from one point at the beginning of a loop to the next one.
struct Round {
  u64 values = 0;     // A hash of the places, and of what was found there.
  u32 num_steps = 0;  // That others may notice.
  u32 num_reads = 0;  // More than Repetition::kMostReads: not all are there.
  // How many locks the thread held at least, at points of this round.
  u32 fewest_locks = ~0u;
  bool has_locks = false;  // A lock was taken or given back.
  bool leaves = false;  // Code was executed that has no points, and may count.
  bool asks_time = false;  // A clock was looked at.
  bool writes = false;     // Elsewhere than to the thread's own variables.
  // A hash of what was found elsewhere than on the thread's own stack, where
  // the time is that a clock tells.
  u64 others_values = 0;
  u32 num_points = 0;
};

// Whether a thread waits for a change that others must make, by reading again
// and again. See atsan_schedule_loops.h.
struct Repetition {
  const Place *place;  // The loop is taken to begin there; nullptr: none.
  // The object of that step, and a hash of its code and the calls that led
  // there: several calls of one function in a round come to the same place.
  uptr object;
  u64 callers;
  u32 rounds;  // In a row that found the same.
  u32 polls;   // In a row that asked a clock, and found the same otherwise.
  u64 since;   // The virtual time at which both were at most 1.
  u32 other_places;  // Points since the last time there, but on the stack.
  u64 epoch;
  u64 own_writes;
  bool seems_to_spin;
  // For so many more points it is busy: others have written what it reads.
  u32 news;
  Round now, last;
  // What the thread has read in this round, and, from there on, in the last
  // one.
  static constexpr u32 kMostReads = 8;
  struct Read {
    uptr addr;
    uptr size;
    u64 value;
  } reads[kMostReads];
  u64 state;       // A hash of the thread's own state when this round began.
  bool is_proven;  // The last two rounds were the same, and so was the state.
};

struct ScheduledThread {
  enum State : u8 {
    kHeld,     // At `stop`.
    kRunning,  // Has the baton.
    kOutside,  // In a call that is not controlled.
    kEnded,
  };

  u32 number;
  const ScheduledThread *parent;  // nullptr: none.
  u32 tid;  // Its Thread's; another thread's after its end.
  u32 children;
  u32 child_index;  // Among its parent's children; the first is 1.
  u64 path;         // Names it in every run: by parents and indices.
  Thread *thread;   // nullptr: it is ending, or has ended.
  int kernel_id;
  State state;
  Stop stop;
  bool woken;
  bool timed_out;     // The last step was made at its deadline.
  bool cancelled;     // It is to go on where a wait can be cancelled.
  u64 ticket;         // When it began to wait, among all that wait.
  bool could_go_on;   // At some choice since it came to its stop.
  u64 passed_over;    // Since when others were chosen though it could go on.
  u64 rests_until;    // Others go first until then, in points of the run.
  u64 logged_ticket;  // The point of the last event in the log.
  // The thread has stopped for the call that it makes next, which may have to
  // wait if another thread comes between.
  bool calls_kernel;
  // The call in which it is, or was last: its limit, and since when, in virtual
  // and in real time. All in nanoseconds.
  struct Outside {
    u64 limit, since, since_real;
  } outside = {kNever, 0, 0};
  atomic_uint32_t baton;
  // What came before by starts and ends of threads alone: of each other thread,
  // the period until which it is known; and the thread's own period.
  InternalMmapVector<u32> known;
  u32 period;
  // How often the thread has been at each place.
  DenseMap<const Place *, u32> visits;

  // Memory that the step which the thread executes may write, and its value
  // before; size 0: none is to be compared.
  Repetition::Read overwrites;
  u32 locks;  // How many it holds.
  Repetition repetition;
};

// Defines `name` as what Stop::state is. To be used first in a function that
// the program's code has called, through others of ours or directly: their
// values are on the stack. The registers that a function must keep are right
// below the frame pointer: this makes the compiler push all of them.
#define ATSAN_STATE_OF_THREAD(name)                       \
  asm volatile("" ::: "rbx", "r12", "r13", "r14", "r15"); \
  const uptr name =                                       \
      reinterpret_cast<uptr>(__builtin_frame_address(0)) - 5 * sizeof(uptr)

// Whether all of a period of a thread came before what this one does now.
inline bool Knows(const ScheduledThread *self, u32 thread, u32 period) {
  return thread == self->number ||
         (thread < self->known.size() && self->known[thread] >= period);
}

// Appends "0.2.1": the first child of the second child of the first thread.
void AppendPath(InternalScopedString *out, const ScheduledThread *thread);

// The name of the child with this index.
u64 PathOfChild(u64 parent, u32 index);
constexpr u64 kPathOfMain = 1;

}  // namespace __atsan

#endif  // ATSAN_SCHEDULED_THREAD_H
