//===-- atsan_schedule_director.h -------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directs a run: writes down where another thread went on than usual, or makes
// it go on as somebody wrote down.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_DIRECTOR_H
#define ATSAN_SCHEDULE_DIRECTOR_H

#include "runtime/schedule/atsan_schedule_file.h"
#include "runtime/schedule/atsan_scheduler.h"

namespace __atsan {

class Director : public RunListener {
 public:
  // Follows the schedule, which outlives the run; nullptr: the strategy's.
  void Begin(const InternalMmapVector<Switch> *schedule);

  bool StopsAt(const ScheduledThread *at) override;
  u32 Override(const ScheduledThread *at, const Decision &decision,
               u32 usual) override;
  void OnChoice(const ScheduledThread *at, const Decision &decision, u32 usual,
                u32 chosen) override;
  [[noreturn]] void OnDeadlock() override;
  void OnIdle() override;
  [[noreturn]] void OnTooLong() override;

  // The function that atsan::explore runs has returned: whoever does not end
  // now was left behind by it.
  void FunctionReturned() { function_has_returned_ = true; }

  // The switches of the run so far, as lines of a schedule.
  const char *Switches();
  // The line of the schedule that the run has not come to, or where the thread
  // could not go on; 0: none.
  u32 DivergedAtLine() const;
  // Whether the run could make none of the switches.
  bool FitsNowhere() const {
    return schedule_ && schedule_->size() && !has_followed_;
  }

 private:
  [[noreturn]] void ThreadsAreLeft();
  void AppendToText();
  bool IsAtNext(const ScheduledThread *at) const;

  const InternalMmapVector<Switch> *schedule_ = nullptr;
  uptr next_ = 0;
  u32 diverged_at_ = 0;
  bool has_followed_ = false;
  u32 num_switches_ = 0;
  bool function_has_returned_ = false;
  InternalMmapVector<char> text_;
  InternalScopedString line_;  // The last one of the text.
};

// There is one; it directs one run after the other.
Director &GetDirector();
// Begins to control the calling thread, by a strategy or a schedule.
void BeginDirectedRun(Thread *thr, Strategy *strategy,
                      const InternalMmapVector<Switch> *schedule,
                      u64 most_points);

// How the run ends, or has ended: a word of the schedule's comments.
extern const char *run_end;

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_DIRECTOR_H
