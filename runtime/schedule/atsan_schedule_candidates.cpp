//===-- atsan_schedule_candidates.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which threads of a controlled run can go on, and which one does when nobody
// decides.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_objects.h"
#include "runtime/schedule/atsan_schedule_run.h"
#include "runtime/schedule/atsan_schedule_sync.h"

namespace __atsan {

static u32 ParentOf(const ScheduledThread *t) {
  return t->parent ? t->parent->number : kNoThread;
}

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
    case Guard::kInitialize:
      return !IsInitializing(object);
    case Guard::kThreadEnd:
      return run->threads[stop.target]->state == ScheduledThread::kEnded;
    case Guard::kFiles:
      return AnyIsReady(stop.files, stop.num_files, /*milliseconds=*/0);
    case Guard::kTime:
      return false;
  }
  return true;
}

bool HasThreadsOutsideRun() {
  InternalMmapVector<int> ids;
  for (const ScheduledThread *t : run->threads) {
    // A new thread has not said yet which one it is.
    if (!t->kernel_id && t->state != ScheduledThread::kEnded)
      return false;
    ids.push_back(t->kernel_id);
  }
  return HasThreadBut(ids);
}

// Whether the thread is cancelled, and waits where that ends it.
static bool EndsByCancellation(const ScheduledThread *t) {
  switch (t->stop.guard) {
    case Guard::kCondition:
    case Guard::kSemaphore:
    case Guard::kThreadEnd:
    case Guard::kFiles:
    case Guard::kTime:
      return t->cancelled;
    default:
      return false;
  }
}

static bool IsReady(const ScheduledThread *t) {
  const Stop &stop = t->stop;
  if (!GuardHolds(t) && run->time < stop.deadline && !EndsByCancellation(t))
    return false;
  // A wait for a condition ends with its lock taken, in time or not.
  return stop.guard != Guard::kCondition ||
         LockIsFree(stop.step.second, t->number, /*shared=*/false);
}

bool PassTime(u64 most) {
  u64 next = kNever;
  for (const ScheduledThread *t : run->threads)
    if (t->state == ScheduledThread::kHeld && t->stop.deadline > run->time)
      next = Min(next, t->stop.deadline);
  if (next == kNever)
    return false;
  run->time += Min(next - run->time, most);
  return run->time == next;
}

u64 TimeInLoops() {
  u64 time = kNever;
  u32 points = 0;
  for (const Candidate &c : run->candidates) {
    const ScheduledThread *t = run->threads[c.thread];
    if (!c.ready)
      continue;
    if (!SpinsForTime(t))
      return 0;
    time = Min(time, run->time - t->repetition.since);
    points += t->repetition.last.num_points;
  }
  return points ? time / points : 0;
}

namespace {

// How many threads, by number, come between the last one and this one.
u32 DistanceFromLast(u32 thread) {
  const u32 n = run->threads.size();
  return run->last == kNoThread ? thread : (thread + n - run->last - 1) % n;
}

// If all that can go on wait in loops, the next one by number goes first: one
// that was chosen again and again could wait for another forever. Returns
// whether that is so.
bool TakeTurnsInLoops() {
  Candidate *next = nullptr;
  for (Candidate &c : run->candidates) {
    if (!c.ready)
      continue;
    if (!c.spins)
      return false;
    if (!next || DistanceFromLast(c.thread) < DistanceFromLast(next->thread))
      next = &c;
  }
  if (next)
    next->spins = false;
  return next;
}

// After so many points of others, a thread that could go on goes first.
constexpr u64 kPassedOver = 20000;
// Threads that were chosen meanwhile rest for so many points then: what the one
// that was passed over does for them may take it some steps.
constexpr u64 kRest = 5000;

bool IsPassedOver(const ScheduledThread *t) {
  return run->points - t->passed_over > kPassedOver;
}

// Somebody who polls, by a lock or by calls of the kernel, is not seen to spin.
// If nobody else was chosen, what it waits for would never happen.
void LetOthersRest() {
  for (ScheduledThread *t : run->threads)
    if (!IsPassedOver(t))
      t->rests_until = run->points + kRest;
}

bool Rests(const ScheduledThread *t) { return run->points < t->rests_until; }

// Whether it is one that spins, for the strategy. Who asks to let others go
// first spins at once, where there is little patience.
bool Spins(const ScheduledThread *t) {
  const u32 patience = run->strategy ? run->strategy->Patience() : 0;
  return patience > kFewRounds ? SeemsToSpin(t, patience) : SeemsToSpin(t);
}

}  // namespace

bool EndStep(ScheduledThread *t) {
  const bool has_overwritten = EndOverwriting(t);
  if (has_overwritten || IsChange(t->stop))
    for (ScheduledThread *other : run->threads)
      if (other != t)
        NoteWrite(other, t->stop.step);
  return has_overwritten;
}

bool GatherCandidates() {
  run->candidates.clear();
  bool any = false, is_any_passed_over = false;
  for (ScheduledThread *t : run->threads) {
    if (t->state != ScheduledThread::kHeld)
      continue;
    const bool ready = IsReady(t);
    any |= ready;
    // A thread that polls by a lock holds it at every other choice.
    t->could_go_on |= ready;
    if (!t->could_go_on)
      t->passed_over = run->points;
    is_any_passed_over |= IsPassedOver(t);
    run->candidates.push_back(
        {t->number, ParentOf(t), ready, Spins(t), t->stop.step});
    if (run->strategy && run->strategy->WantsProofOfSpinning())
      ProveSpinning(t, &run->candidates.back());
  }
  if (is_any_passed_over)
    LetOthersRest();
  for (Candidate &c : run->candidates) {
    const ScheduledThread *t = run->threads[c.thread];
    if (Rests(t))
      c.spins = c.seems_to_spin = true;
    else if (IsPassedOver(t))
      c.spins = false;
  }
  run->only_loops = TakeTurnsInLoops();
  return any;
}

u32 UsualChoice() {
  const Candidate *best = nullptr;
  bool best_spins = false;
  for (const Candidate &c : run->candidates) {
    if (!c.ready)
      continue;
    const ScheduledThread *t = run->threads[c.thread];
    const bool spins = Rests(t) || (SeemsToSpin(t) && !IsPassedOver(t));
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

}  // namespace __atsan
