//===-- atsan_schedule_file.h -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule as text: the places where another thread goes on than usual. Names
// of threads and places are the same in every run, and survive a rebuild.
//
//   atsan-schedule 1
//   # A comment.
//   switch 0.1 _ZN4Bank8withdrawEi#3 2 0.2
//   end
//
// is: when thread 0.1 is for the second time before the third point of that
// function, 0.2 goes on. Usually, a thread goes on until it waits or ends, and
// then the next one by number. Without the line `end`, a file has been cut.
//
//   explore 3
//   test push.1 | pop
//
// say that the schedule is of the third call of atsan::explore in the process,
// and of which of the tests that it makes.
//
//   order 0.1 _ZN4Bank3getEv#1 1 before 0.2 _ZN4Bank3setEi#2 1
//
// is a line of the other kind of schedule, where threads run in parallel: 0.2
// is held there until 0.1 has gone past its point.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_FILE_H
#define ATSAN_SCHEDULE_FILE_H

#include "runtime/schedule/atsan_scheduled_thread.h"

namespace __atsan {

// A point of a run.
struct PointName {
  u64 thread;  // Its path.
  u64 parent;  // The path of the thread that creates it; 0: none.
  u64 place;   // PlaceKey.
  u32 visit;   // The thread's n-th; the first is 1.
};

struct Switch {
  PointName at;
  u64 to;    // The path of the thread that goes on.
  u32 line;  // In the file.
};

// Two points, of two threads.
struct Order {
  PointName first, second;
  u32 line;
};

// There are either switches or orders.
struct ScheduleText {
  InternalMmapVector<Switch> switches;
  InternalMmapVector<Order> orders;
  // The n-th call of atsan::explore; 0: the whole program.
  u32 exploration = 0;
  InternalScopedString
      test;  // The one of that call that is meant; empty: it has one only.
};

// Names a place in every run.
u64 PlaceKey(const Place *place);

// Reads a schedule. Returns nullptr, or what is wrong in the line *line.
const char *ParseSchedule(const char *text, ScheduleText *schedule, u32 *line);

// Appends the line of a switch.
void AppendSwitch(InternalScopedString *out, const ScheduledThread *at,
                  const ScheduledThread *to);

// "_ZN4Bank8withdrawEi#3", as schedules name it.
void AppendPlaceName(InternalScopedString *out, const Place *place);
// Appends the line of the source, if it is known, behind `before`.
void AppendSource(InternalScopedString *out, const char *before,
                  const Place *place);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_FILE_H
