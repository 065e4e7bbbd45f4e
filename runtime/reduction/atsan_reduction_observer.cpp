//===-- atsan_reduction_observer.cpp --------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads are known to the checker by their numbers, which are never used
// again; to reports by their tids.
//
// What is found is put into words while the checker is locked, since sets of
// locks are its own; it is reported afterwards, since symbolizing takes long
// and runs foreign code.
//
//===----------------------------------------------------------------------===//
#include "runtime/reduction/atsan_reduction_observer.h"

#include "lib/event/ReductionFeed.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/report/atsan_potential.h"
#include "runtime/report/atsan_report.h"
#include "runtime/state/atsan_init.h"
#include "runtime/stream/atsan_observer.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

namespace {

ReductionChecker *checker;
atomic_uint64_t num_events;
// Tids of threads, by their numbers.
Mutex tids_mutex;
InternalMmapVectorNoCtor<u32> tids;

// What belongs to the event that the thread is handing over now.
struct Pending {
  Thread *thr;
  PotentialFinding *finding;
  u32 known;  // The number, plus 1, of the thread whose tid is remembered.
};
__attribute__((tls_model("initial-exec"))) THREADLOCAL Pending pending;

u32 TidOf(u32 number) {
  Lock lock(&tids_mutex);
  return number < tids.size() ? tids[number] : kUnknownThread;
}

void RememberTid(const Thread *thr) {
  Lock lock(&tids_mutex);
  while (tids.size() <= thr->number)
    tids.push_back(kUnknownThread);
  tids[thr->number] = thr->tid;
  pending.known = thr->number + 1;
}

// --- What was found, in words. -----------------------------------------------

void AppendHeld(InternalScopedString *out, const Sample &sample) {
  LockSets &sets = checker->Facts().Sets();
  const uptr size = sets.SizeOf(sample.locks);
  out->Append(sample.write ? "the write" : "the read");
  if (!size)
    out->Append(" with no lock held");
  for (uptr i = 0; i < size; i++) {
    const LockFacts &lock = checker->Facts().FactsOf(sets.At(sample.locks, i));
    out->AppendF("%s %p", i == 0 ? " under" : ",",
                 reinterpret_cast<void *>(lock.addr));
  }
}

// Why the step is in its class: a race on its variable, or who else uses the
// lock.
void AppendReason(PotentialFinding *finding, const IrreducibleRegion &region,
                  const ReductionStep &step) {
  PotentialStep *reason = &finding->steps[finding->num_steps];
  const auto in_region = [&](u32 thread, u64 event) {
    return thread == region.thread && event >= region.begin;
  };
  if (step.race) {
    const auto access = [&](const Sample &s) {
      return PotentialEvent{s.write ? StepKind::kWrite : StepKind::kRead,
                            TidOf(s.thread),
                            s.location,
                            step.race->addr,
                            in_region(s.thread, s.event),
                            /*other_region=*/0};
    };
    reason->first = access(step.race->first);
    reason->later = access(step.race->later);
    reason->why.Append("These accesses may overlap: ");
    AppendHeld(&reason->why, step.race->first);
    reason->why.Append(", ");
    AppendHeld(&reason->why, step.race->later);
  } else if (step.lock) {
    const LockFacts &lock = checker->Facts().FactsOf(step.lock);
    const auto use = [&](const LockUse &u) {
      return PotentialEvent{
          StepKind::kAcquire,           TidOf(u.thread), u.location, lock.addr,
          in_region(u.thread, u.event), u.region};
    };
    reason->first = use(lock.shared_first);
    reason->later = use(lock.shared_later);
    reason->why.Append(
        "This lock is used by threads that may run at the same time, and no "
        "other lock is always held with it");
  } else {
    return;
  }
  // Both steps may have one reason, which is told once.
  for (uptr i = 1; i < finding->num_steps; i++) {
    const PotentialStep &other = finding->steps[i];
    if (other.first.loc == reason->first.loc &&
        other.later.loc == reason->later.loc &&
        other.first.addr == reason->first.addr) {
      reason->why.clear();
      return;
    }
  }
  finding->num_steps++;
}

void OnFound(void *, const IrreducibleRegion &region) {
  auto *finding =
      new (InternalAlloc(sizeof(PotentialFinding))) PotentialFinding();
  finding->region_context = pending.thr->region_context;
  PotentialStep *between = &finding->steps[finding->num_steps++];
  const auto event = [&](const ReductionStep &step) {
    const bool of_thread =
        step.kind == StepKind::kStart || step.kind == StepKind::kJoin;
    return PotentialEvent{step.kind,          pending.thr->tid,
                          step.location,      of_thread ? 0 : step.addr,
                          /*in_region=*/true,
                          /*other_region=*/0};
  };
  between->first = event(region.commit);
  between->later = event(region.breaks);
  between->why.AppendF(
      "Other threads may come in between %s%s (a %s) and %s%s (a %s)",
      NameOf(region.commit.kind), region.commit.lock ? " a lock" : "",
      NameOf(region.commit.mover), NameOf(region.breaks.kind),
      region.breaks.lock ? " a lock" : "", NameOf(region.breaks.mover));
  AppendReason(finding, region, region.commit);
  AppendReason(finding, region, region.breaks);
  pending.finding = finding;
}

u32 LocationOf(void *, u32, uptr where) { return where; }

// --- Events. -----------------------------------------------------------------

bool DividesRegions(EventKind kind) {
  const RegionSplits splits = flags()->region_splits;
  return (kind == EventKind::Start && splits.Has(kSplitStart)) ||
         (kind == EventKind::Join && splits.Has(kSplitJoin)) ||
         (kind == EventKind::BarrierArrive && splits.Has(kSplitBarrier)) ||
         (kind == EventKind::BarrierLeave && splits.Has(kSplitBarrier)) ||
         (kind == EventKind::Wait && splits.Has(kSplitWait));
}

void HandOver(Thread *thr, const ObservedEvent &event, const EventPoint &at) {
  if (event.kind == EventKind::RegionBegin)
    return checker->RegionBegin(thr->number, thr->region_context, at);
  if (event.kind == EventKind::RegionEnd)
    return checker->RegionEnd(thr->number);
  const bool divides = DividesRegions(event.kind);
  for (uptr i = 0; i < event.count; i++)
    atsan::trace::feedReduction(
        *checker,
        {event.addr + i * event.stride, event.size, thr->number, event.kind,
         event.is_atomic, event.is_stack},
        divides, at);
  if (event.kind == EventKind::Join)
    checker->Forget(event.addr);
}

void OnEvent(Thread *thr, const ObservedEvent &event) {
  const u64 number = atomic_fetch_add(&num_events, 1, memory_order_relaxed) + 1;
  if (UNLIKELY(pending.known != thr->number + 1))
    RememberTid(thr);
  pending.thr = thr;
  pending.finding = nullptr;
  HandOver(thr, event, {number, event.loc, thr->region_context});
  PotentialFinding *finding = pending.finding;
  if (LIKELY(!finding))
    return;
  ReportPotential(thr, *finding);
  finding->~PotentialFinding();
  InternalFree(finding);
}

void Begin() {
  CommutativityOptions options;
  checker = new (InternalAlloc(sizeof(ReductionChecker)))
      ReductionChecker(options, {nullptr, LocationOf, OnFound});
}

// Another thread may have held the lock: the child starts anew.
void AfterFork(Thread *const *threads, uptr count) {
  new (&tids_mutex) Mutex();
  Begin();
}

constexpr Observer kReduction = {OnEvent, AfterFork, nullptr, nullptr};

}  // namespace

void ReductionInit() {
  if (!flags()->checkers.Has(kCheckerReduction))
    return;
  ScopedInRuntime in_runtime(cur_thread);
  tids.Initialize(64);
  Begin();
  // Births of blocks are needed whether or not there are regions.
  __atsan_enabled = 1;
  AddObserver(&kReduction);
}

}  // namespace __atsan
