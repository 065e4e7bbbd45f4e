//===-- atsan_reduction.cpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transactions of atsan_reduction.h, and the class of each of their events.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_reduction.h"

namespace __atsan {

const char *NameOf(Mover mover) {
  static constexpr const char *kNames[] = {"both-mover", "right-mover",
                                           "left-mover", "non-mover"};
  static_assert(ARRAY_SIZE(kNames) == static_cast<u32>(Mover::kNon) + 1, "");
  return kNames[static_cast<u32>(mover)];
}

const char *NameOf(StepKind kind) {
  static constexpr const char *kNames[] = {
      "an unprotected read",      "an unprotected write",
      "the acquire of",           "the release of",
      "the start of a thread",    "the join of a thread",
      "the arrival at a barrier", "the departure from a barrier",
      "a condition wait"};
  static_assert(ARRAY_SIZE(kNames) == static_cast<u32>(StepKind::kWait) + 1,
                "");
  return kNames[static_cast<u32>(kind)];
}

ReductionChecker::Thread *ReductionChecker::Get(u32 thread) {
  if (thread >= threads_.Size())
    threads_.Resize(thread + 1);
  return &threads_[thread];
}

void ReductionChecker::Renew(Thread *t, u64 begin) {
  t->begin = begin;
  t->broken = false;
  t->pattern = ReductionPattern();
}

void ReductionChecker::RegionBegin(u32 thread, u32 region,
                                   const EventPoint &at) {
  Lock lock(&mutex_);
  Thread *t = Get(thread);
  if (t->depth++)
    return;
  t->region = region;
  Renew(t, at.event);
}

void ReductionChecker::RegionEnd(u32 thread) {
  Lock lock(&mutex_);
  Thread *t = Get(thread);
  if (t->depth)
    t->depth--;
}

void ReductionChecker::Divide(u32 thread, const EventPoint &at) {
  Lock lock(&mutex_);
  Renew(Get(thread), at.event);
}

// An event that breaks the pattern is reported once in a transaction.
void ReductionChecker::Take(u32 thread, const EventPoint &at,
                            ReductionStep step) {
  Thread *t = Get(thread);
  if (!t->depth || t->broken || step.mover == Mover::kBoth)
    return;
  const bool was_committed = t->pattern.IsCommitted();
  const bool stays = t->pattern.Take(step.mover);
  if (stays && (was_committed || !t->pattern.IsCommitted()))
    return;
  step.event = at.event;
  step.location = seams_.locate(seams_.context, thread, at.where);
  if (stays) {
    t->commit = step;
    return;
  }
  t->broken = true;
  seams_.found(seams_.context, {thread, t->begin, t->region, t->commit, step});
}

static ReductionStep Step(StepKind kind, uptr addr) {
  ReductionStep step = {};
  step.kind = kind;
  step.mover = MoverOf(kind);
  step.addr = addr;
  return step;
}

template <class Order>
void ReductionChecker::Boundary(u32 thread, StepKind kind, uptr object,
                                bool divides, const EventPoint &at,
                                Order order) {
  Lock lock(&mutex_);
  order();
  if (divides)
    Renew(Get(thread), at.event);
  else
    Take(thread, at, Step(kind, object));
}

void ReductionChecker::Start(u32 thread, u32 child, bool divides,
                             const EventPoint &at) {
  Boundary(thread, StepKind::kStart, child, divides, at,
           [&] { facts_.Start(thread, child); });
}

void ReductionChecker::Join(u32 thread, u32 ended, bool divides,
                            const EventPoint &at) {
  Boundary(thread, StepKind::kJoin, ended, divides, at,
           [&] { facts_.Join(thread, ended); });
}

void ReductionChecker::Arrive(u32 thread, uptr barrier, u32 parties,
                              bool divides, const EventPoint &at) {
  Boundary(thread, StepKind::kArrive, barrier, divides, at,
           [&] { facts_.Arrive(thread, barrier, parties); });
}

void ReductionChecker::Leave(u32 thread, uptr barrier, bool divides,
                             const EventPoint &at) {
  Boundary(thread, StepKind::kLeave, barrier, divides, at,
           [&] { facts_.Leave(thread, barrier); });
}

void ReductionChecker::Wait(u32 thread, uptr condition, bool divides,
                            const EventPoint &at) {
  Boundary(thread, StepKind::kWait, condition, divides, at, [] {});
}

void ReductionChecker::End(u32 thread) {
  Lock lock(&mutex_);
  Get(thread)->depth = 0;
}

void ReductionChecker::Forget(u32 thread) {
  Lock lock(&mutex_);
  *Get(thread) = {};
  facts_.Forget(thread);
}

template <class Use>
void ReductionChecker::UseLock(u32 thread, StepKind kind, uptr addr,
                               const EventPoint &at, Use use) {
  Lock lock(&mutex_);
  ReductionStep step = Step(kind, addr);
  LockStep effect;
  step.lock = use(&effect);
  if (effect == LockStep::kInner || facts_.FactsOf(step.lock).IsBothMover())
    return;
  Take(thread, at, step);
}

void ReductionChecker::Acquire(u32 thread, uptr addr, bool shared,
                               const EventPoint &at) {
  UseLock(thread, StepKind::kAcquire, addr, at, [&](LockStep *effect) {
    return facts_.Acquire(thread, addr, shared, at, effect);
  });
}

void ReductionChecker::Release(u32 thread, uptr addr, bool shared,
                               const EventPoint &at) {
  UseLock(thread, StepKind::kRelease, addr, at, [&](LockStep *effect) {
    return facts_.Release(thread, addr, shared, at, effect);
  });
}

void ReductionChecker::Access(u32 thread, uptr addr, uptr size, bool write,
                              bool atomic, const EventPoint &at) {
  Lock lock(&mutex_);
  const Variable *raced = nullptr;
  facts_.Access(thread, addr, size, write, atomic, at,
                [&](uptr granule, const Variable *v) {
                  if (!raced && facts_.IsRaced(v))
                    raced = v;
                });
  if (!raced)
    return;
  ReductionStep step = Step(write ? StepKind::kWrite : StepKind::kRead, addr);
  step.size = size;
  step.race = raced->race;
  Take(thread, at, step);
}

void ReductionChecker::Born(u32 thread, uptr addr, uptr size, bool is_stack) {
  Lock lock(&mutex_);
  facts_.Born(thread, addr, size, is_stack);
}

void ReductionChecker::Died(uptr addr, uptr size) {
  Lock lock(&mutex_);
  facts_.Died(addr, size);
}

void ReductionChecker::PointerStored(uptr word, uptr target) {
  Lock lock(&mutex_);
  facts_.PointerStored(word, target);
}

}  // namespace __atsan
