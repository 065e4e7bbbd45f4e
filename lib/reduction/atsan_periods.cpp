//===-- atsan_periods.cpp ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector clocks of atsan_periods.h.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_periods.h"

namespace __atsan {

void PeriodClock::Set(u32 thread, u32 number) {
  if (thread >= numbers_.Size())
    numbers_.Resize(thread + 1);
  numbers_[thread] = number;
}

void PeriodClock::JoinWith(const PeriodClock &other) {
  if (other.Size() > Size())
    numbers_.Resize(other.Size());
  for (uptr i = 0; i < other.Size(); i++)
    numbers_[i] = Max(numbers_[i], other.numbers_[i]);
}

void PeriodClock::CopyTo(PeriodClock *other) const {
  other->Reset();
  other->JoinWith(*this);
}

template <typename T>
static T *New() {
  return new (InternalAlloc(sizeof(T))) T();
}

template <typename T>
static void Delete(T *object) {
  object->~T();
  InternalFree(object);
}

Periods::~Periods() {
  for (uptr i = 0; i < threads_.Size(); i++)
    Forget(i);
  gathering_.forEach([](auto &entry) {
    Disown(entry.second);
    return true;
  });
}

Periods::Thread *Periods::Get(u32 thread) {
  if (thread >= threads_.Size())
    threads_.Resize(thread + 1);
  Thread *&t = threads_[thread];
  if (UNLIKELY(!t)) {
    t = New<Thread>();
    t->clock.Set(thread, 1);
  }
  return t;
}

void Periods::Step(u32 thread, Thread *t) {
  t->clock.Set(thread, t->clock.At(thread) + 1);
}

Period Periods::Current(u32 thread) {
  return {thread, Get(thread)->clock.At(thread)};
}

bool Periods::IsBefore(Period p, u32 thread) {
  const u32 known = Get(thread)->clock.At(p.thread);
  return p.thread == thread ? known > p.number : known >= p.number;
}

void Periods::Start(u32 thread, u32 child) {
  Thread *t = Get(thread), *c = Get(child);
  c->clock.JoinWith(t->clock);
  Step(thread, t);
  Step(child, c);
}

void Periods::Join(u32 thread, u32 ended) {
  Thread *t = Get(thread), *e = Get(ended);
  t->clock.JoinWith(e->clock);
  Step(thread, t);
  // Should the ended thread's number come back, what follows is another period.
  Step(ended, e);
}

void Periods::Forget(u32 thread) {
  if (thread >= threads_.Size() || !threads_[thread])
    return;
  LeaveRound(threads_[thread]);
  Delete(threads_[thread]);
  threads_[thread] = nullptr;
}

// Two keys are the map's own, so barriers get other ones.
static uptr Key(uptr barrier) { return barrier & ~(1ull << 63); }

void Periods::Arrive(u32 thread, uptr barrier, u32 parties) {
  Thread *t = Get(thread);
  LeaveRound(t);
  Round *&gathering = gathering_[Key(barrier)];
  if (!gathering) {
    gathering = New<Round>();
    gathering->owners = 1;
  }
  Round *round = t->round = gathering;
  round->owners++;
  round->clock.JoinWith(t->clock);
  if (++round->arrived == parties)
    Complete(barrier, round);
  Step(thread, t);
}

void Periods::Leave(u32 thread, uptr barrier) {
  Thread *t = Get(thread);
  if (t->round) {
    t->clock.JoinWith(t->round->clock);
    Complete(barrier, t->round);
    LeaveRound(t);
  }
  Step(thread, t);
}

void Periods::After(u32 thread, const PeriodClock &earlier) {
  Thread *t = Get(thread);
  t->clock.JoinWith(earlier);
  Step(thread, t);
}

void Periods::Boundary(u32 thread) { Step(thread, Get(thread)); }

void Periods::LeaveRound(Thread *t) {
  if (t->round)
    Disown(t->round);
  t->round = nullptr;
}

// Ends the gathering of a round: threads that arrive later are of the next one.
void Periods::Complete(uptr barrier, Round *round) {
  auto *gathering = gathering_.find(Key(barrier));
  if (!gathering || gathering->second != round)
    return;
  gathering_.erase(gathering);
  Disown(round);
}

void Periods::Disown(Round *round) {
  if (--round->owners == 0)
    Delete(round);
}

}  // namespace __atsan
