//===-- atsan_scheduler.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads ask of the scheduler: to stop at a point, to wake others, to
// begin and to end.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_scheduler.h"

#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_objects.h"
#include "runtime/schedule/atsan_schedule_peers.h"
#include "runtime/schedule/atsan_schedule_run.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_placement_new.h"

__sanitizer::u32 __atsan_scheduled, __atsan_called;

namespace __atsan {

StaticSpinMutex run_mutex;
Run *run;

namespace {

// What a point takes, in virtual nanoseconds.
constexpr u64 kPointTime = 1000;

alignas(Run) char run_memory[sizeof(Run)];

// All that `other` has done and known so far comes before what `t` does now.
void LearnFrom(ScheduledThread *t, const ScheduledThread *other) {
  const uptr size = Max<uptr>(other->known.size(), other->number + 1);
  if (t->known.size() < size)
    t->known.resize(size);
  for (uptr i = 0; i < other->known.size(); i++)
    t->known[i] = Max(t->known[i], other->known[i]);
  t->known[other->number] = other->period;
}

ScheduledThread *NewThread(Thread *thr, ScheduledThread *parent) {
  auto *t = new (InternalAlloc(sizeof(ScheduledThread))) ScheduledThread();
  t->number = run->threads.size();
  t->parent = parent;
  t->child_index = parent ? ++parent->children : 0;
  t->path = parent ? PathOfChild(parent->path, t->child_index) : kPathOfMain;
  t->tid = thr->tid;
  t->period = 1;
  t->passed_over = run->points;
  if (parent) {
    LearnFrom(t, parent);
    parent->period++;
  }
  t->thread = thr;
  run->threads.push_back(t);
  thr->scheduled = t;
  return t;
}

// --- Points. -----------------------------------------------------------------

// A loop that waits with a limit until it is late would never end otherwise.
void ComeBack(ScheduledThread *self) {
  const ScheduledThread::Outside &o = self->outside;
  if (o.limit != kNever && RealTime(kMonotonicClock) - o.since_real >= o.limit)
    run->time = Max(run->time, o.since + o.limit);
  self->outside.limit = kNever;
}

// The thread is at a point, whether it stops there or not: all that later
// choices depend on is the same in a replay, which stops at other points.
void ComeTo(ScheduledThread *self, const Stop &stop) {
  if (self->state == ScheduledThread::kOutside)
    ComeBack(self);
  if (++run->points > run->most_points)
    run->listener->OnTooLong();
  run->time += kPointTime;
  run->watch.Forget();
  const bool has_overwritten = EndStep(self);
  self->stop = stop;
  self->woken = false;
  self->ticket = ++run->tickets;
  self->could_go_on = false;
  self->passed_over = run->points;
  self->visits[stop.place]++;
  if (has_overwritten || IsChange(stop)) {
    run->writes++;
    self->repetition.own_writes++;
  }
  NoteRepetition(self, run->writes, run->time);
  if (run->strategy && WaitsUnseen(self))
    run->strategy->LeaveGap(Gap::kUnnamed);
  if (run->strategy && WaitsOutside(self))
    run->strategy->LeaveGap(Gap::kOutside);
}

// Choices that are no stop of the thread are told apart from its last one.
void ComeToLocal(ScheduledThread *self, const Place *place) {
  Stop stop = {};
  stop.place = place;
  ComeTo(self, stop);
}

// True for the code of a signal handler that runs while the thread is held, or
// has not begun: it runs beside the thread that has the baton, and may change
// anything.
bool InterruptsWait(const ScheduledThread *self) {
  if (self->state != ScheduledThread::kHeld && self->kernel_id)
    return false;
  run->writes++;
  return true;
}

void Hold(ScheduledThread *self) {
  const bool had_baton = run->running == self->number;
  self->state = ScheduledThread::kHeld;
  if (had_baton || run->running == kNoThread)
    PassBaton(self);
}

}  // namespace

bool StopAt(ScheduledThread *self, const Stop &stop) {
  ScopedInRuntime in_runtime(self->thread);
  {
    SpinMutexLock l(&run_mutex);
    if (InterruptsWait(self))
      return true;
    ComeTo(self, stop);
    Hold(self);
  }
  WaitForBaton(self);
  if (self->timed_out)
    return false;
  if (stop.guard == Guard::kThreadEnd) {
    SpinMutexLock l(&run_mutex);
    LearnFrom(self, run->threads[stop.target]);
  }
  return true;
}

void PassBy(ScheduledThread *self, const Stop &stop) {
  ScopedInRuntime in_runtime(self->thread);
  {
    SpinMutexLock l(&run_mutex);
    if (InterruptsWait(self))
      return;
    ComeTo(self, stop);
    self->stop.passes = true;
    if (self->state == ScheduledThread::kRunning &&
        !self->repetition.seems_to_spin && !SpinsForTime(self) &&
        !run->listener->StopsAt(self)) {
      BeginOverwriting(self);
      return;
    }
    Hold(self);
  }
  WaitForBaton(self);
}

ScopedSchedulerLock::ScopedSchedulerLock() { run_mutex.Lock(); }
ScopedSchedulerLock::~ScopedSchedulerLock() { run_mutex.Unlock(); }

u32 WakeAt(uptr object, u32 most) {
  SpinMutexLock l(&run_mutex);
  u32 count = 0;
  if (!run)  // A thread that is not controlled, in a run that is steered.
    return 0;
  for (; count < most; count++) {
    ScheduledThread *first = nullptr;
    for (ScheduledThread *t : run->threads)
      if (t->state == ScheduledThread::kHeld && !t->woken &&
          (t->stop.guard == Guard::kWoken ||
           t->stop.guard == Guard::kCondition) &&
          t->stop.step.object == object &&
          (!first || t->ticket < first->ticket))
        first = t;
    if (!first)
      break;
    first->woken = true;
  }
  return count;
}

void SignalAt(uptr condition) {
  SpinMutexLock l(&run_mutex);
  if (!run)
    return;
  InternalMmapVector<u64> waiting;
  for (const ScheduledThread *t : run->threads)
    if (t->state == ScheduledThread::kHeld && !t->woken &&
        t->stop.guard == Guard::kCondition && t->stop.step.object == condition)
      waiting.push_back(t->ticket);
  NoteSignal(condition, ++run->tickets, waiting);
}

void ConditionIsOver(ScheduledThread *self, uptr condition) {
  SpinMutexLock l(&run_mutex);
  if (!self->woken)
    TakeSignal(condition, self->ticket);
}

static bool met_others;
bool HasMetOthers() { return met_others; }

static void LeaveRun(ScheduledThread *self, u64 limit) {
  static const Place kOutside = {"outside", "", 0, 0, 0, 0};
  ComeToLocal(self, &kOutside);
  met_others = true;
  if (run->strategy)
    run->strategy->LeaveGap(Gap::kOthers);
  self->outside = {limit, run->time, RealTime(kMonotonicClock)};
  self->state = ScheduledThread::kOutside;
}

void GoOutside(ScheduledThread *self, u64 limit) {
  SpinMutexLock l(&run_mutex);
  LeaveRun(self, limit);
  if (run->running == self->number)
    PassBaton(self);
}

bool LeaveWaitForFiles(ScheduledThread *self) {
  SpinMutexLock l(&run_mutex);
  if (self->state != ScheduledThread::kHeld ||
      self->stop.guard != Guard::kFiles || GuardHolds(self))
    return false;
  LeaveRun(self, kNever);
  return true;
}

void LeaveGap(Gap gap) {
  SpinMutexLock l(&run_mutex);
  met_others |= gap == Gap::kOthers;
  if (run && run->strategy)
    run->strategy->LeaveGap(gap);
}

bool HasOtherThreads() {
  SpinMutexLock l(&run_mutex);
  return HasThreadsOutsideRun();
}

u64 VirtualTime() {
  SpinMutexLock l(&run_mutex);
  return run->time;
}

void LetTimePass() {
  SpinMutexLock l(&run_mutex);
  run->time += kPointTime;
}

// --- Life of threads and runs. -----------------------------------------------

ScheduledThread *ScheduleChild(ScheduledThread *parent, Thread *child) {
  SpinMutexLock l(&run_mutex);
  ScheduledThread *t = NewThread(child, parent);
  t->state = ScheduledThread::kOutside;
  return t;
}

void ForgetChild(ScheduledThread *child) {
  SpinMutexLock l(&run_mutex);
  child->state = ScheduledThread::kEnded;
}

void ChildIsThere(ScheduledThread *child) {
  static const Place kBegin = {"begin", "", 0, 0, 0, 0};
  SpinMutexLock l(&run_mutex);
  child->stop = {};
  child->stop.place = &kBegin;
  child->state = ScheduledThread::kHeld;
}

void BeginScheduled(Thread *thr) {
  ScheduledThread *self = thr->scheduled;
  if (!self)
    return;
  ScopedInRuntime in_runtime(thr);
  {
    SpinMutexLock l(&run_mutex);
    self->kernel_id = GetTid();
  }
  WaitForBaton(self);
}

void ForgetState(ScheduledThread *t) {
  SpinMutexLock l(&run_mutex);
  t->thread = nullptr;
}

void EndScheduled(ScheduledThread *self) {
  static const Place kEnd = {"end", "", 0, 0, 0, 0};
  SpinMutexLock l(&run_mutex);
  ComeToLocal(self, &kEnd);
  self->state = ScheduledThread::kEnded;
  NoteEndOfHolder(self->number);
  run->leaving.Add(self->kernel_id);
  if (run->running == self->number || run->running == kNoThread)
    PassBaton(self);
}

ScheduledThread *FindScheduled(u32 tid) {
  SpinMutexLock l(&run_mutex);
  for (uptr i = run->threads.size(); i-- > 0;)
    if (run->threads[i]->tid == tid)
      return run->threads[i];
  return nullptr;
}

void CancelScheduled(u32 tid) {
  ScheduledThread *t = FindScheduled(tid);
  SpinMutexLock l(&run_mutex);
  if (t)
    t->cancelled = true;
}

void BeginRun(Thread *thr, Strategy *strategy, RunListener *listener,
              u64 most_points) {
  SpinMutexLock l(&run_mutex);
  if (!run) {
    run = new (run_memory) Run();
    NoteInheritedFiles();
  }
  run->strategy = strategy;
  run->listener = listener;
  run->most_points = most_points;
  run->last = kNoThread;
  run->points = run->time = run->tickets = run->writes = 0;
  run->schedule_class.Begin();
  if (strategy)
    strategy->BeginRun();
  ScheduledThread *self = NewThread(thr, nullptr);
  self->state = ScheduledThread::kRunning;
  self->kernel_id = GetTid();
  run->running = self->number;
  __atomic_store_n(&__atsan_scheduled, 1, __ATOMIC_RELEASE);
}

void EndRun() {
  SpinMutexLock l(&run_mutex);
  __atomic_store_n(&__atsan_scheduled, 0, __ATOMIC_RELEASE);
  if (run->strategy && CountModules().without_points)
    run->strategy->LeaveGap(Gap::kNoPoints);
  if (run->strategy)
    run->strategy->EndRun(/*complete=*/true);
  for (ScheduledThread *t : run->threads) {
    if (t->thread)
      t->thread->scheduled = nullptr;
    t->~ScheduledThread();
    InternalFree(t);
  }
  run->threads.clear();
  ForgetObjects();
}

static atomic_uint32_t modules[2];  // Without points, and with them.

void NoteModuleOfSchedules(bool has_points) {
  atomic_fetch_add(&modules[has_points], 1, memory_order_relaxed);
}

ModuleCounts CountModules() {
  return {atomic_load_relaxed(&modules[true]),
          atomic_load_relaxed(&modules[false])};
}

const InternalMmapVector<ScheduledThread *> &ScheduledThreads() {
  return run->threads;
}
u64 PointsOfRun() { return run->points; }
u64 ClassOfRun() { return run->schedule_class.Hash(); }
u32 ThreadsOfRun() { return run->threads.size(); }

}  // namespace __atsan
