//===-- atsan_schedule_baton.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread has the baton. It gives it away at each point, when it ends, and
// when others see that it waits for one of them.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_peers.h"
#include "runtime/schedule/atsan_schedule_run.h"
#include "runtime/schedule/atsan_schedule_sync.h"

namespace __atsan {
namespace {

// How long nobody may go on before virtual time passes, in real nanoseconds:
// threads outside may come back, and files become readable.
constexpr u64 kPatience = 30 * 1000 * 1000;
// How long nobody may go on before the listener is told, who may give up.
constexpr u64 kMuchPatience = 5000ull * 1000 * 1000;
// How long a file that only the process itself can make ready may take.
constexpr u64 kPatienceWithFiles = 200 * 1000 * 1000;

// Where all that can go on wait in loops, a round of each takes such a fraction
// of the virtual time that they have waited.
constexpr u64 kFractionOfWait = 16;

// `at` asks for it, and does not sleep.
void GiveBaton(ScheduledThread *t, const ScheduledThread *at) {
  t->timed_out = !GuardHolds(t);
  if (t->timed_out)
    t->cancelled = false;
  t->state = ScheduledThread::kRunning;
  BeginOverwriting(t);
  run->running = run->last = t->number;
  if (!t->stop.passes)
    run->schedule_class.Execute(t->number, t->stop.step);
  atomic_store(&t->baton, 1, memory_order_release);
  if (t != at)
    WakeBaton(&t->baton);
}

bool AnyIs(ScheduledThread::State state) {
  for (const ScheduledThread *t : run->threads)
    if (t->state == state)
      return true;
  return false;
}

bool WaitsForFiles(const ScheduledThread *t) {
  return t->state == ScheduledThread::kHeld && t->stop.guard == Guard::kFiles;
}

bool WaitsForProcesses(const ScheduledThread *t) {
  return t->state == ScheduledThread::kHeld &&
         t->stop.guard == Guard::kSemaphore &&
         IsBetweenProcesses(
             SyncObject::kSemaphore,
             reinterpret_cast<const void *>(t->stop.step.object));
}

// Whether the thread waits for what its own process does, and that is over.
bool WaitsForOwnFiles(const ScheduledThread *t, u64 idle_for) {
  return idle_for > kPatienceWithFiles && !HasMetOthers() &&
         !SignalsMayHelp() &&
         OnlyProcessServes(t->stop.files, t->stop.num_files);
}

// Whether something that is not controlled may make a thread go on.
bool KernelMayHelp(u64 idle_for) {
  for (const ScheduledThread *t : run->threads)
    if (t->state == ScheduledThread::kOutside || WaitsForProcesses(t) ||
        (WaitsForFiles(t) && !WaitsForOwnFiles(t, idle_for)))
      return true;
  return false;
}

// Whether it waits for what any thread of the process may do, not only one that
// is known, or a time.
bool WaitsForAnybody(const ScheduledThread *t) {
  if (t->state != ScheduledThread::kHeld)
    return false;
  switch (t->stop.guard) {
    case Guard::kCondition:
    case Guard::kSemaphore:
    case Guard::kWoken:
    case Guard::kOnce:
    case Guard::kInitialize:
    case Guard::kFiles:
      return true;
    default:
      return false;
  }
}

// Whether a thread that is not controlled may make one go on.
bool OthersMayHelp() {
  for (const ScheduledThread *t : run->threads)
    if (WaitsForAnybody(t))
      return HasThreadsOutsideRun();
  return false;
}

void BecomeIdle() {
  if (run->running != kNoThread)
    run->idle_since = RealTime(kMonotonicClock);
  run->running = kNoThread;
}

}  // namespace

void PassBaton(const ScheduledThread *at, bool waits_for_kernel) {
  bool any = GatherCandidates();
  if (!any && waits_for_kernel && KernelMayHelp(/*idle_for=*/0))
    return BecomeIdle();
  while (!any && PassTime())
    any = GatherCandidates();
  // The loops may have limits of their own: they are late by no more than a
  // fraction of what they have waited.
  if (const u64 waited = any ? TimeInLoops() : 0)
    if (!KernelMayHelp(/*idle_for=*/0) && PassTime(waited / kFractionOfWait))
      GatherCandidates();
  const Decision decision = {run->candidates.data(),
                             static_cast<u32>(run->candidates.size()),
                             run->last, run->only_loops};
  if (!any) {
    BecomeIdle();
    const u64 idle_for = RealTime(kMonotonicClock) - run->idle_since;
    if (!AnyIs(ScheduledThread::kHeld) || KernelMayHelp(idle_for) ||
        OthersMayHelp() || (idle_for < kMuchPatience && SignalsMayHelp()))
      return;
  }
  if (!any || AllSpinForEver()) {
    if (run->strategy)
      run->strategy->Blocked(decision);
    run->listener->OnDeadlock();
  }
  const u32 usual = UsualChoice();
  u32 chosen = run->listener->Override(at, decision, usual);
  if (chosen == kNoThread)
    chosen = run->strategy ? run->strategy->Choose(decision) : usual;
  if (!IsReadyCandidate(chosen))
    chosen = usual;
  run->listener->OnChoice(at, decision, usual, chosen);
  GiveBaton(run->threads[chosen], at);
}

namespace {

// Whether no other thread of the program does anything.
bool RunsAlone() {
  return !AnyIs(ScheduledThread::kOutside) && !run->leaving.Any();
}

// Nobody has come to a point for a while: if the thread with the baton waits
// for a thread that is held, others go on.
void LookAtRunning() {
  SpinMutexLock l(&run_mutex);
  if (!run)
    return;
  if (run->running == kNoThread) {
    const u64 idle_for = RealTime(kMonotonicClock) - run->idle_since;
    PassBaton(nullptr, /*waits_for_kernel=*/idle_for <= kPatience);
    if (run->running == kNoThread && idle_for > kMuchPatience)
      run->listener->OnIdle();
    return;
  }
  ScheduledThread *t = run->threads[run->running];
  // In the runtime it sleeps for a while only: until a child is there, or a
  // report is printed. Without a state it ends.
  const bool is_in_runtime =
      !t->thread || *const_cast<volatile u16 *>(&t->thread->in_runtime);
  if (is_in_runtime || !run->watch.MustGiveUp(t->kernel_id, RunsAlone()))
    return;
  t->state = ScheduledThread::kOutside;
  run->writes += EndStep(t);
  PassBaton(nullptr);
}

// Waits a while. Where nobody can go on, whoever waits for files does so in the
// kernel, and sees at once that there is something.
void WaitForBatonAWhile(ScheduledThread *self) {
  constexpr int kMilliseconds = 10;
  bool waits_for_files;
  {
    SpinMutexLock l(&run_mutex);
    waits_for_files = run->running == kNoThread && WaitsForFiles(self);
  }
  if (waits_for_files)
    AnyIsReady(self->stop.files, self->stop.num_files, kMilliseconds);
  else
    WaitAWhile(&self->baton);
}

// Two threads of the program would go on at a time until those are gone that
// have ended.
void AwaitThoseWhoLeave() {
  for (;;) {
    int kernel_id;
    {
      SpinMutexLock l(&run_mutex);
      if (!run->leaving.Any())
        return;
      kernel_id = run->leaving.Last();
      run->leaving.RemoveLast();
    }
    AwaitLeaving(kernel_id);
  }
}

}  // namespace

// A thread that cannot go on handles its signals where it is, as it would if it
// really waited: what others wait for may be done there.
// A handler may end a wait for the kernel, which is then made there: true if
// the thread stands outside now.
static bool LetHandlersRun(ScheduledThread *self) {
  Thread *thr = self->thread;
  if (!thr || LIKELY(!thr->signals_deferred))
    return false;
  {
    SpinMutexLock l(&run_mutex);
    if (self->state != ScheduledThread::kHeld || GuardHolds(self))
      return false;
  }
  const u16 in_runtime = thr->in_runtime;
  thr->in_runtime = 0;
  SignalsDeliverNow(thr);
  thr->in_runtime = in_runtime;
  return LeaveWaitForFiles(self);
}

void WaitForBaton(ScheduledThread *self) {
  u64 seen = ~0ull;
  while (!atomic_load(&self->baton, memory_order_acquire)) {
    WaitForBatonAWhile(self);
    if (LetHandlersRun(self))
      return;
    if (atomic_load(&self->baton, memory_order_acquire))
      break;
    u64 points;
    bool is_idle;
    {
      SpinMutexLock l(&run_mutex);
      points = run->points;
      is_idle = run->running == kNoThread;
    }
    if (points == seen || is_idle)
      LookAtRunning();
    seen = points;
  }
  atomic_store(&self->baton, 0, memory_order_relaxed);
  AwaitThoseWhoLeave();
}

}  // namespace __atsan
