//===-- atsan_schedule_director.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_director.h"

#include "runtime/options/atsan_log.h"
#include "runtime/report/atsan_report.h"
#include "runtime/schedule/atsan_exploration.h"
#include "runtime/schedule/atsan_schedule_objects.h"
#include "runtime/schedule/atsan_schedule_shared.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

const char *run_end = "exit";

Director &GetDirector() {
  alignas(Director) static char storage[sizeof(Director)];
  static Director *director;
  if (!director)
    director = new (storage) Director();
  return *director;
}

void BeginDirectedRun(Thread *thr, Strategy *strategy,
                      const InternalMmapVector<Switch> *schedule,
                      u64 most_points) {
  GetDirector().Begin(schedule);
  BeginLearning();
  StartClocks();
  BeginRun(thr, strategy, &GetDirector(), most_points);
}

void Director::Begin(const InternalMmapVector<Switch> *schedule) {
  schedule_ = schedule;
  next_ = 0;
  diverged_at_ = num_switches_ = 0;
  has_followed_ = false;
  function_has_returned_ = false;
  text_.clear();
}

// --- To follow. --------------------------------------------------------------

static const ScheduledThread *FindByPath(u64 path) {
  for (const ScheduledThread *t : ScheduledThreads())
    if (t->path == path)
      return t;
  return nullptr;
}

// Whether the thread has come to the next switch of the schedule.
bool Director::IsAtNext(const ScheduledThread *at) const {
  if (!schedule_ || !at || next_ == schedule_->size())
    return false;
  const Switch &s = (*schedule_)[next_];
  if (s.at.thread != at->path || s.at.place != PlaceKey(at->stop.place))
    return false;
  auto *visit = const_cast<ScheduledThread *>(at)->visits.find(at->stop.place);
  return visit && s.at.visit == visit->second;
}

bool Director::StopsAt(const ScheduledThread *at) { return IsAtNext(at); }

u32 Director::Override(const ScheduledThread *at, const Decision &decision,
                       u32 usual) {
  if (!schedule_)
    return kNoThread;
  if (!IsAtNext(at))
    return usual;
  const Switch &s = (*schedule_)[next_];
  next_++;
  const ScheduledThread *to = FindByPath(s.to);
  for (u32 i = 0; i < decision.num_candidates; i++)
    if (to && decision.candidates[i].thread == to->number &&
        decision.candidates[i].ready) {
      has_followed_ = true;
      return to->number;
    }
  if (!diverged_at_)
    diverged_at_ = s.line;
  return usual;
}

u32 Director::DivergedAtLine() const {
  if (diverged_at_ || !schedule_ || next_ == schedule_->size())
    return diverged_at_;
  return (*schedule_)[next_].line;
}

// --- To write down. ----------------------------------------------------------

void Director::OnChoice(const ScheduledThread *at, const Decision &, u32 usual,
                        u32 chosen) {
  if (!at || chosen == usual)
    return;
  num_switches_++;
  // To print into the text would cost what it can hold, with each switch.
  line_.clear();
  AppendSwitch(&line_, at, ScheduledThreads()[chosen]);
  AppendToText();
}

// The text doubles: if it grew by pages, as strings of the runtime do, each
// page of a long schedule would cost a copy of all.
void Director::AppendToText() {
  const uptr size = text_.size() + line_.length() + 1;
  if (size > text_.capacity())
    text_.reserve(RoundUpToPowerOfTwo(size));
  const uptr begin = text_.size();
  text_.resize(begin + line_.length());
  internal_memcpy(text_.data() + begin, line_.data(), line_.length());
}

const char *Director::Switches() {
  text_.push_back(0);
  text_.pop_back();
  return text_.data();
}

// --- Ends that are findings. -------------------------------------------------

static const char *ObjectOf(Guard guard) {
  switch (guard) {
    case Guard::kLock:
    case Guard::kSharedLock:
      return "lock";
    case Guard::kCondition:
      return "condition";
    case Guard::kSemaphore:
      return "semaphore";
    case Guard::kOnce:
      return "once-control";
    case Guard::kInitialize:
      return "initialization behind";
    case Guard::kThreadEnd:
      return "end of thread";
    default:
      return "change of";
  }
}

// A thread that waits by reading again and again.
static void AppendLoop(InternalScopedString *out, const ScheduledThread *t) {
  const Place &place = *t->stop.place;
  out->Append(" goes round a loop, at ");
  if (place.line)
    out->AppendF("%s:%u in ", StripModuleName(place.file), place.line);
  out->Append(DemangledName(place.function));
  const Repetition &r = t->repetition;
  for (u32 i = 0; i < r.last.num_reads; i++) {
    out->Append(i ? ", " : ", until somebody changes ");
    AppendMemoryAt(out, r.reads[i].addr);
  }
}

static void AppendWait(InternalScopedString *out, const ScheduledThread *t) {
  if (t->state != ScheduledThread::kHeld)
    return;
  out->Append("; thread ");
  AppendPath(out, t);
  const Stop &stop = t->stop;
  if (stop.guard == Guard::kNone)
    return AppendLoop(out, t);
  if (stop.guard == Guard::kFiles) {
    out->AppendF(" waits in %s for what only this process can write",
                 stop.place->function);
    return;
  }
  if (!stop.step.object && stop.guard != Guard::kThreadEnd) {
    out->AppendF(" waits in %s for ever", stop.place->function);
    return;
  }
  out->AppendF(" waits in %s for the %s ", DemangledName(stop.place->function),
               ObjectOf(stop.guard));
  if (stop.guard == Guard::kThreadEnd)
    out->AppendF("%u", stop.target);
  else
    AppendMemoryAt(out, stop.step.object);
  const u32 holder = HolderOf(stop.step.object);
  if (holder == kNoThread)
    return;
  out->Append(", which thread ");
  AppendPath(out, ScheduledThreads()[holder]);
  out->Append(" holds");
}

// The thread whose stack the report shows: the last that has begun to wait.
static const ScheduledThread *LastToWait() {
  const ScheduledThread *last = nullptr;
  for (const ScheduledThread *t : ScheduledThreads())
    if (t->state == ScheduledThread::kHeld &&
        (!last || last->ticket < t->ticket))
      last = t;
  return last;
}

// The thread that is left behind, and what it does.
static void AppendLeft(InternalScopedString *out, const ScheduledThread *t) {
  if (!t->parent || t->state == ScheduledThread::kEnded)
    return;
  if (t->state == ScheduledThread::kHeld && t->stop.guard != Guard::kNone)
    return AppendWait(out, t);
  out->Append("; thread ");
  AppendPath(out, t);
  out->Append(t->state == ScheduledThread::kOutside
                  ? " is in a call of the kernel"
                  : " goes on and on");
}

void Director::ThreadsAreLeft() {
  run_end = "threads-left";
  InternalScopedString message;
  message.Append(
      "explore: the function has returned, and has left threads behind, which "
      "do not end: let them end, and join them, before it returns");
  for (const ScheduledThread *t : ScheduledThreads())
    AppendLeft(&message, t);
  // The first thread waits in atsan::explore, where the function was called.
  const ScheduledThread *first = ScheduledThreads()[0];
  ReportUsageError(first->thread, first->stop.at, message.data(),
                   "threads-left");
  Die();
}

void Director::OnIdle() {
  if (function_has_returned_)
    ThreadsAreLeft();
}

// All threads but this one wait, and go on waiting: the test's own code can be
// called as if nobody controlled it.
static void PrintHistory() {
  if (!exploration.history)
    return;
  __atomic_store_n(&__atsan_scheduled, 0, __ATOMIC_RELEASE);
  Printf("%s", exploration.history(exploration.argument));
}

void Director::OnDeadlock() {
  if (function_has_returned_)
    ThreadsAreLeft();
  run_end = "deadlock";
  InternalScopedString message;
  message.Append("deadlock: no thread can go on");
  for (const ScheduledThread *t : ScheduledThreads())
    AppendWait(&message, t);
  const ScheduledThread *last = LastToWait();
  PrintHistory();  // Before the report, which may end the process.
  ReportUsageError(last->thread, last->stop.at, message.data(), "deadlock");
  Die();
}

void Director::OnTooLong() {
  if (function_has_returned_)
    ThreadsAreLeft();
  run_end = "too-long";
  ScopedLog log;
  Report(
      "ERROR: %s: the schedule has %zu points, and no more are allowed "
      "(run-time option schedule_points; 100000 in a generated test): threads "
      "may wait for each other in loops\n",
      SanitizerToolName, static_cast<uptr>(PointsOfRun()));
  PrintHistory();
  Die();
}

}  // namespace __atsan
