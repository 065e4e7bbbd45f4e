//===-- atsan_scheduler.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread has the baton. It gives it away at each point, when it ends, and
// when others see that it waits for one of them. The file is long because all
// of it works on one state, the Run, under one lock, and nothing else may see
// it.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_scheduler.h"

#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_objects.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_schedule_wait.h"
#include "runtime/schedule/atsan_schedule_watch.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"

__sanitizer::u32 __atsan_scheduled;

namespace __atsan {
namespace {

// What a point takes, in virtual nanoseconds.
constexpr u64 kPointTime = 1000;
// How long nobody may go on before virtual time passes, in real nanoseconds:
// threads outside may come back, and files become readable.
constexpr u64 kPatience = 30 * 1000 * 1000;
// How long nobody may go on before the listener is told, who may give up.
constexpr u64 kMuchPatience = 5000ull * 1000 * 1000;

struct Run {
  Strategy *strategy;
  RunListener *listener;
  InternalMmapVector<ScheduledThread *> threads;  // By number.
  InternalMmapVector<Candidate> candidates;       // The last decision's.
  ScheduleClass schedule_class;
  u32 running;  // The thread with the baton; kNoThread: nobody can go on.
  u32 last;     // The thread that executed the last step.
  u64 points;
  u64 most_points;
  u64 time;
  u64 tickets;
  u64 writes;      // Steps that may change what others wait for.
  u64 idle_since;  // Real time since which nobody could go on without time's
                   // passing.
  Watch watch;     // Looks at the thread with the baton.
  LeavingThreads leaving;
};

StaticSpinMutex mutex;
alignas(Run) char run_memory[sizeof(Run)];
Run *run;

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
  if (parent) {
    LearnFrom(t, parent);
    parent->period++;
  }
  t->thread = thr;
  run->threads.push_back(t);
  thr->scheduled = t;
  return t;
}

u32 ParentOf(const ScheduledThread *t) {
  return t->parent ? t->parent->number : kNoThread;
}

// --- Who can go on. ----------------------------------------------------------

bool GuardHolds(const ScheduledThread *t) {
  const Stop &stop = t->stop;
  const uptr object = stop.step.object;
  switch (stop.guard) {
    case Guard::kNone:
      return true;
    case Guard::kLock:
      return LockIsFree(object, t->number, /*shared=*/false);
    case Guard::kSharedLock:
      return LockIsFree(object, t->number, /*shared=*/true);
    case Guard::kCondition:
      return t->woken || HasSignalFor(object, t->ticket);
    case Guard::kSemaphore:
      return SemaphoreValue(object) > 0;
    case Guard::kWoken:
      return t->woken;
    case Guard::kOnce:
      return !OnceIsRunning(object);
    case Guard::kThreadEnd:
      return run->threads[stop.target]->state == ScheduledThread::kEnded;
    case Guard::kFiles:
      return AnyIsReady(stop.files, stop.num_files, /*milliseconds=*/0);
    case Guard::kTime:
      return false;
  }
  return true;
}

bool IsReady(const ScheduledThread *t) {
  const Stop &stop = t->stop;
  if (!GuardHolds(t) && run->time < stop.deadline)
    return false;
  // A wait for a condition ends with its lock taken, in time or not.
  return stop.guard != Guard::kCondition ||
         LockIsFree(stop.step.second, t->number, /*shared=*/false);
}

// False: no thread waits for a time.
bool PassTime() {
  u64 next = kNever;
  for (const ScheduledThread *t : run->threads)
    if (t->state == ScheduledThread::kHeld && t->stop.deadline > run->time)
      next = Min(next, t->stop.deadline);
  if (next == kNever)
    return false;
  run->time = next;
  return true;
}

// How many threads, by number, come between the last one and this one.
u32 DistanceFromLast(u32 thread) {
  const u32 n = run->threads.size();
  return run->last == kNoThread ? thread : (thread + n - run->last - 1) % n;
}

// If all that can go on wait in loops, the next one by number goes first: one
// that was chosen again and again could wait for another forever.
void TakeTurnsInLoops() {
  Candidate *next = nullptr;
  for (Candidate &c : run->candidates) {
    if (!c.ready)
      continue;
    if (!c.spins)
      return;
    if (!next || DistanceFromLast(c.thread) < DistanceFromLast(next->thread))
      next = &c;
  }
  if (next)
    next->spins = false;
}

// Whether it is one that spins, for the strategy. Who asks to let others go
// first spins at once, where there is little patience.
bool Spins(const ScheduledThread *t) {
  const u32 patience = run->strategy ? run->strategy->Patience() : 0;
  return patience > kFewRounds ? SeemsToSpin(t, patience) : SeemsToSpin(t);
}

// Fills `candidates`; returns whether one of them is ready.
bool Gather() {
  run->candidates.clear();
  bool any = false;
  for (const ScheduledThread *t : run->threads) {
    if (t->state != ScheduledThread::kHeld)
      continue;
    const bool ready = IsReady(t);
    any |= ready;
    run->candidates.push_back(
        {t->number, ParentOf(t), ready, Spins(t), t->stop.step});
    if (run->strategy && run->strategy->WantsProofOfSpinning())
      ProveSpinning(t, &run->candidates.back());
  }
  TakeTurnsInLoops();
  return any;
}

// Returns who goes on when nobody decides: the current thread, or else the next
// one by number; threads that seem to spin only when there is no other. No
// strategy has a part in it: a schedule that it has made is replayed without
// it.
u32 Usual() {
  const Candidate *best = nullptr;
  bool best_spins = false;
  for (const Candidate &c : run->candidates) {
    if (!c.ready)
      continue;
    const bool spins = SeemsToSpin(run->threads[c.thread]);
    if (!spins && c.thread == run->last)
      return c.thread;
    const bool is_nearer =
        best && DistanceFromLast(c.thread) < DistanceFromLast(best->thread);
    if (best && (spins == best_spins ? !is_nearer : spins))
      continue;
    best = &c;
    best_spins = spins;
  }
  return best->thread;
}

bool IsReadyCandidate(u32 thread) {
  for (const Candidate &c : run->candidates)
    if (c.thread == thread)
      return c.ready;
  return false;
}

// --- The baton. --------------------------------------------------------------

// `at` asks for it, and does not sleep.
void GiveBaton(ScheduledThread *t, const ScheduledThread *at) {
  t->timed_out = !GuardHolds(t);
  t->state = ScheduledThread::kRunning;
  run->running = run->last = t->number;
  if (!t->stop.passes)
    run->schedule_class.Execute(t->number, ParentOf(t), t->stop.step);
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

// Whether something that is not controlled may make a thread go on.
bool KernelMayHelp() {
  for (const ScheduledThread *t : run->threads)
    if (t->state == ScheduledThread::kOutside || WaitsForFiles(t))
      return true;
  return false;
}

void BecomeIdle() {
  if (run->running != kNoThread)
    run->idle_since = RealTime(kMonotonicClock);
  run->running = kNoThread;
}

// Gives the baton to the thread that goes on. `at`: the thread whose stop or
// end asks for it; nullptr: one that sleeps.
void Pick(const ScheduledThread *at, bool waits_for_kernel = true) {
  bool any = Gather();
  if (!any && waits_for_kernel && KernelMayHelp())
    return BecomeIdle();
  while (!any && PassTime())
    any = Gather();
  const Decision decision = {run->candidates.data(),
                             static_cast<u32>(run->candidates.size()),
                             run->last};
  if (!any) {
    BecomeIdle();
    if (!AnyIs(ScheduledThread::kHeld) || KernelMayHelp())
      return;
    if (run->strategy)
      run->strategy->Blocked(decision);
    run->listener->OnDeadlock();
  }
  const u32 usual = Usual();
  u32 chosen = run->listener->Override(at, decision, usual);
  if (chosen == kNoThread)
    chosen = run->strategy ? run->strategy->Choose(decision) : usual;
  if (!IsReadyCandidate(chosen))
    chosen = usual;
  run->listener->OnChoice(at, decision, usual, chosen);
  GiveBaton(run->threads[chosen], at);
}

// Whether no other thread of the program does anything.
bool RunsAlone() {
  return !AnyIs(ScheduledThread::kOutside) && !run->leaving.Any();
}

// Nobody has come to a point for a while: if the thread with the baton waits
// for a thread that is held, others go on.
void LookAtRunning() {
  SpinMutexLock l(&mutex);
  if (!run)
    return;
  if (run->running == kNoThread) {
    const u64 idle_for = RealTime(kMonotonicClock) - run->idle_since;
    Pick(nullptr, /*waits_for_kernel=*/idle_for <= kPatience);
    if (run->running == kNoThread && idle_for > kMuchPatience)
      run->listener->OnIdle();
    return;
  }
  ScheduledThread *t = run->threads[run->running];
  // In the runtime it sleeps for a while only: until a child is there, or a
  // report is printed.
  const bool is_in_runtime =
      t->thread && *const_cast<volatile u16 *>(&t->thread->in_runtime);
  if (is_in_runtime || !run->watch.MustGiveUp(t->kernel_id, RunsAlone()))
    return;
  t->state = ScheduledThread::kOutside;
  Pick(nullptr);
}

// Waits a while. Where nobody can go on, whoever waits for files does so in the
// kernel, and sees at once that there is something.
void WaitForBatonAWhile(ScheduledThread *self) {
  constexpr int kMilliseconds = 10;
  bool waits_for_files;
  {
    SpinMutexLock l(&mutex);
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
      SpinMutexLock l(&mutex);
      if (!run->leaving.Any())
        return;
      kernel_id = run->leaving.Last();
      run->leaving.RemoveLast();
    }
    AwaitLeaving(kernel_id);
  }
}

void WaitForBaton(ScheduledThread *self) {
  u64 seen = ~0ull;
  while (!atomic_load(&self->baton, memory_order_acquire)) {
    WaitForBatonAWhile(self);
    if (atomic_load(&self->baton, memory_order_acquire))
      break;
    u64 points;
    bool is_idle;
    {
      SpinMutexLock l(&mutex);
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

// --- Points. -----------------------------------------------------------------

}  // namespace

// The thread is at a point, whether it stops there or not: all that later
// choices depend on is the same in a replay, which stops at other points.
static void ComeTo(ScheduledThread *self, const Stop &stop) {
  if (++run->points > run->most_points)
    run->listener->OnTooLong();
  run->time += kPointTime;
  run->watch.Forget();
  self->stop = stop;
  self->woken = false;
  self->ticket = ++run->tickets;
  self->visits[stop.place]++;
  if (IsChange(stop.step.kind)) {
    run->writes++;
    self->repetition.own_writes++;
  }
  NoteRepetition(self, run->writes);
}

// Choices that are no stop of the thread are told apart from its last one.
static void ComeToLocal(ScheduledThread *self, const Place *place) {
  Stop stop = {};
  stop.place = place;
  ComeTo(self, stop);
}

static void Hold(ScheduledThread *self) {
  const bool had_baton = run->running == self->number;
  self->state = ScheduledThread::kHeld;
  if (had_baton || run->running == kNoThread)
    Pick(self);
}

Outcome StopAt(ScheduledThread *self, const Stop &stop) {
  ScopedInRuntime in_runtime(self->thread);
  {
    SpinMutexLock l(&mutex);
    ComeTo(self, stop);
    Hold(self);
  }
  WaitForBaton(self);
  if (self->timed_out)
    return Outcome::kTimedOut;
  if (stop.guard == Guard::kThreadEnd) {
    SpinMutexLock l(&mutex);
    LearnFrom(self, run->threads[stop.target]);
  }
  return Outcome::kGuardHolds;
}

void PassBy(ScheduledThread *self, const Stop &stop) {
  ScopedInRuntime in_runtime(self->thread);
  {
    SpinMutexLock l(&mutex);
    ComeTo(self, stop);
    self->stop.passes = true;
    if (self->state == ScheduledThread::kRunning &&
        !self->repetition.seems_to_spin && !run->listener->StopsAt(self))
      return;
    Hold(self);
  }
  WaitForBaton(self);
}

ScopedSchedulerLock::ScopedSchedulerLock() { mutex.Lock(); }
ScopedSchedulerLock::~ScopedSchedulerLock() { mutex.Unlock(); }

void AppendPath(InternalScopedString *out, const ScheduledThread *thread) {
  if (!thread->parent) {
    out->Append("0");
    return;
  }
  AppendPath(out, thread->parent);
  out->AppendF(".%u", thread->child_index);
}

u32 WakeAt(uptr object, u32 most) {
  SpinMutexLock l(&mutex);
  u32 count = 0;
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

u32 WaitingAt(uptr object) {
  u32 count = 0;
  for (const ScheduledThread *t : run->threads)
    count += t->state == ScheduledThread::kHeld && !t->woken &&
             t->stop.guard == Guard::kCondition &&
             t->stop.step.object == object;
  return count;
}

void SignalAt(uptr condition) {
  SpinMutexLock l(&mutex);
  NoteSignal(condition, ++run->tickets, WaitingAt(condition));
}

void ConditionIsOver(ScheduledThread *self, uptr condition) {
  SpinMutexLock l(&mutex);
  if (!self->woken)
    TakeSignal(condition, self->ticket);
}

void GoOutside(ScheduledThread *self) {
  static const Place kOutside = {"outside", "", 0, 0, 0, 0};
  SpinMutexLock l(&mutex);
  ComeToLocal(self, &kOutside);
  self->state = ScheduledThread::kOutside;
  if (run->running == self->number)
    Pick(self);
}

u64 VirtualTime() {
  SpinMutexLock l(&mutex);
  return run->time;
}

void LetTimePass() {
  SpinMutexLock l(&mutex);
  run->time += kPointTime;
}

// --- Life of threads and runs. -----------------------------------------------

ScheduledThread *ScheduleChild(ScheduledThread *parent, Thread *child) {
  SpinMutexLock l(&mutex);
  ScheduledThread *t = NewThread(child, parent);
  t->state = ScheduledThread::kOutside;
  return t;
}

void ForgetChild(ScheduledThread *child) {
  SpinMutexLock l(&mutex);
  child->state = ScheduledThread::kEnded;
  child->thread = nullptr;
}

void ChildIsThere(ScheduledThread *child) {
  static const Place kBegin = {"begin", "", 0, 0, 0, 0};
  SpinMutexLock l(&mutex);
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
    SpinMutexLock l(&mutex);
    self->kernel_id = GetTid();
  }
  WaitForBaton(self);
}

void EndScheduled(ScheduledThread *self) {
  static const Place kEnd = {"end", "", 0, 0, 0, 0};
  SpinMutexLock l(&mutex);
  ComeToLocal(self, &kEnd);
  self->state = ScheduledThread::kEnded;
  self->thread = nullptr;
  run->leaving.Add(self->kernel_id);
  if (run->running == self->number || run->running == kNoThread)
    Pick(self);
}

ScheduledThread *FindScheduled(u32 tid) {
  SpinMutexLock l(&mutex);
  for (uptr i = run->threads.size(); i-- > 0;)
    if (run->threads[i]->tid == tid)
      return run->threads[i];
  return nullptr;
}

void BeginRun(Thread *thr, Strategy *strategy, RunListener *listener,
              u64 most_points) {
  SpinMutexLock l(&mutex);
  if (!run)
    run = new (run_memory) Run();
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

void EndRun(RunEnd end) {
  SpinMutexLock l(&mutex);
  __atomic_store_n(&__atsan_scheduled, 0, __ATOMIC_RELEASE);
  if (run->strategy)
    run->strategy->EndRun(end != RunEnd::kTooLong);
  for (ScheduledThread *t : run->threads) {
    if (t->thread)
      t->thread->scheduled = nullptr;
    t->~ScheduledThread();
    InternalFree(t);
  }
  run->threads.clear();
  ForgetObjects();
}

void ForEachScheduled(void (*callback)(const ScheduledThread *, void *),
                      void *context) {
  for (const ScheduledThread *t : run->threads)
    callback(t, context);
}

u64 PointsOfRun() { return run->points; }
u64 ClassOfRun() { return run->schedule_class.Hash(); }
u32 ThreadsOfRun() { return run->threads.size(); }

}  // namespace __atsan
