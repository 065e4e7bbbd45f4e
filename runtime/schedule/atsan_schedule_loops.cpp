//===-- atsan_schedule_loops.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of atsan_schedule_loops.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_schedule_loops.h"

#include <errno.h>

#include "lib/schedule/atsan_dice.h"
#include "runtime/schedule/atsan_scheduler.h"
#include "runtime/state/atsan_thread.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"

namespace __atsan {

// After many rounds, nobody waits for a proof; after more than most loops count
// to, time passes for others.
static constexpr u32 kManyRounds = 64, kMostRounds = 4096;
// A loop has at most so many points, and so many that are not on the stack: the
// templates of the C++ library have one for each variable.
static constexpr u32 kMostPoints = 128, kMostPlaces = 16;
// A stack of more bytes is not looked at.
static constexpr uptr kMostState = 1 << 16;

// The kernel is asked by a mask that it reads there, and then refuses for a
// wrong word beside it; it takes address 0 for none.
static bool AskIfReadable(uptr page) {
  constexpr int kNoWord = ~0;
  int error = 0;
  return page &&
         internal_iserror(
             internal_sigprocmask(
                 kNoWord, reinterpret_cast<__sanitizer_sigset_t *>(page),
                 nullptr),
             &error) &&
         error != EFAULT;
}

constexpr uptr kPageSize = 4096;
static uptr PageOf(uptr addr) { return RoundDownTo(addr, kPageSize); }

// Whether what the kernel maps together with `addr` can be read. It is asked
// once, as long as others do not take the place of the answer.
static bool IsReadable(uptr addr) {
  static uptr readable[64];
  const uptr page = PageOf(addr);
  uptr *known = &readable[page / kPageSize % ARRAY_SIZE(readable)];
  if (LIKELY(page && *known == page))
    return true;
  if (!AskIfReadable(page))
    return false;
  *known = page;
  return true;
}

u64 ValueAt(uptr addr, uptr size) {
  u64 value = 0;
  if (size <= sizeof(value) && IsReadable(addr) && IsReadable(addr + size - 1))
    internal_memcpy(&value, reinterpret_cast<const void *>(addr), size);
  return value;
}

void BeginOverwriting(ScheduledThread *self) {
  const Step &step = self->stop.step;
  if (self->stop.may_write_same)
    self->overwrites = {step.object, step.size,
                        ValueAt(step.object, step.size)};
}

// What was just written may be mapped no more, so the kernel is asked anew.
bool EndOverwriting(ScheduledThread *self) {
  const Repetition::Read o = self->overwrites;
  self->overwrites.size = 0;
  return o.size && (o.size > sizeof(u64) || !AskIfReadable(PageOf(o.addr)) ||
                    !AskIfReadable(PageOf(o.addr + o.size - 1)) ||
                    ValueAt(o.addr, o.size) != o.value);
}

static u64 HashOfState(const ScheduledThread *t) {
  const uptr begin = t->stop.state;
  const uptr end = t->thread ? t->thread->stack_top : 0;
  if (!begin || end <= begin || end - begin > kMostState)
    return 0;
  u64 hash = 1;
  for (uptr at = begin; at + sizeof(u64) <= end; at += sizeof(u64))
    hash = MixBits(hash + *reinterpret_cast<const u64 *>(at));
  return hash | 1;
}

static bool IsOnStackOf(const ScheduledThread *t, uptr addr) {
  return t->thread && addr >= t->thread->stack_bottom &&
         addr < t->thread->stack_top;
}

// A hash of the stop's code, of which a function that was inlined has several,
// and of the calls that led there. A function of the library often calls
// another one, and has two bodies, of which one calls the other.
static u64 CallersOf(const ScheduledThread *t) {
  constexpr u32 kMostCalls = 4;
  u64 hash = t->stop.at.pc;
  uptr fp = t->stop.at.fp;
  for (u32 i = 0;
       i < kMostCalls && fp % sizeof(uptr) == 0 && IsOnStackOf(t, fp); i++) {
    const uptr *frame = reinterpret_cast<const uptr *>(fp);
    hash = MixBits(hash + frame[1]);
    if (frame[0] <= fp)
      break;
    fp = frame[0];
  }
  return hash;
}

// Adds the point to the thread's round. `on_stack`: what it accesses is on the
// thread's own stack.
static void AddToRound(Repetition *r, const Stop &stop, u32 locks,
                       bool on_stack) {
  const Step &step = stop.step;
  Round *round = &r->now;
  round->has_locks |= stop.locks;
  round->fewest_locks = Min(round->fewest_locks, locks);
  round->num_steps += step.kind != StepKind::kLocal;
  const bool is_write = step.kind == StepKind::kWrite;
  const bool is_own = is_write && on_stack;
  round->writes |= is_write && (!on_stack || stop.may_write_same);
  round->num_points++;
  u64 value = 0;
  if (step.size)
    value = ValueAt(step.object, step.size);
  // A function that each round calls writes its variables anew.
  if (step.size && !is_own) {
    if (round->num_reads < Repetition::kMostReads && step.size <= sizeof(u64))
      r->reads[round->num_reads] = {step.object, step.size, value};
    else
      round->num_reads = Repetition::kMostReads;
    round->num_reads++;
  }
  // A loop that looks at one variable after the other does not wait. What a
  // function has on the stack may be elsewhere each time.
  const u64 place = reinterpret_cast<uptr>(stop.place);
  const uptr where = step.size && !on_stack ? step.object : 0;
  const u64 found = MixBits(value + MixBits(where));
  round->values = MixBits(round->values + place + found);
  round->others_values =
      MixBits(round->others_values + place + (on_stack ? 0 : found));
}

// `state`: of the thread, or 0 where it was not looked at.
static void EndRound(Repetition *r, u64 state) {
  r->is_proven = state && state == r->state &&
                 r->now.values == r->last.values &&
                 r->now.num_reads <= Repetition::kMostReads;
  r->state = state;
  r->last = r->now;
  r->now = Round();
  r->other_places = 0;
}

void NoteCall(ScheduledThread *self, Called next) {
  self->repetition.now.leaves |= __atsan_called != 0;
  __atsan_called = static_cast<u32>(next);
}

void NoteLeaving(ScheduledThread *self) { self->repetition.now.leaves = true; }

void NoteRepetition(ScheduledThread *self, u64 changes, u64 time) {
  Repetition *r = &self->repetition;
  r->now.leaves |= __atsan_called == static_cast<u32>(Called::kUnknown);
  __atsan_called = static_cast<u32>(Called::kNothing);
  r->news -= r->news != 0;
  const Stop &stop = self->stop;
  const u64 epoch = changes - r->own_writes;
  const bool on_stack = IsOnStackOf(self, stop.step.object);
  r->other_places += !on_stack;
  if (!stop.repeats || epoch != r->epoch) {
    r->place = nullptr;
    r->epoch = epoch;
    r->is_proven = r->now.has_locks = r->last.has_locks = false;
  }
  if (stop.place == r->place && stop.step.object == r->object &&
      CallersOf(self) == r->callers) {
    // A loop that finds other values each time does not wait.
    const bool is_same = r->now.values == r->last.values;
    r->rounds = is_same ? r->rounds + 1 : 1;
    const bool polls = r->now.asks_time && !r->now.writes &&
                       r->now.others_values == r->last.others_values;
    r->polls = polls ? r->polls + 1 : 0;
    EndRound(r, HashOfState(self));
  } else if (!r->place || r->now.num_points > kMostPoints ||
             r->other_places > (stop.state ? 1 : 2) * kMostPlaces) {
    // A loop is better taken to begin where the thread's state is known, since
    // its rounds can be compared there. The state at the first time is not
    // needed: the first round is then one that the second is compared with.
    r->place = stop.place;
    r->object = stop.step.object;
    r->callers = CallersOf(self);
    r->rounds = r->polls = 0;
    EndRound(r, /*state=*/0);
  }
  if (r->rounds <= 1 && r->polls <= 1)
    r->since = time;
  AddToRound(r, stop, self->locks, on_stack);
  // A thread that looks at something under a lock, again and again, may just be
  // busy.
  r->seems_to_spin = stop.repeats && r->rounds >= kFewRounds && !HasLocks(*r);
}

void NoteClock(ScheduledThread *self) { self->repetition.now.asks_time = true; }

void ForgetRepetition(ScheduledThread *self) {
  Repetition *r = &self->repetition;
  r->place = nullptr;
  r->rounds = r->polls = 0;
  r->is_proven = r->seems_to_spin = false;
  r->now.has_locks = r->last.has_locks = false;
}

void NoteWrite(ScheduledThread *reader, const Step &step) {
  Repetition *r = &reader->repetition;
  const u32 count = Max(r->now.num_reads, r->last.num_reads);
  if (!(r->seems_to_spin || reader->stop.yields) ||
      count > Repetition::kMostReads)
    return;
  for (u32 i = 0; i < count; i++)
    if (r->reads[i].addr < step.object + step.size &&
        step.object < r->reads[i].addr + r->reads[i].size)
      r->news = kMostPoints;
}

bool SeemsToSpin(const ScheduledThread *t) {
  const Repetition &r = t->repetition;
  return (r.seems_to_spin || t->stop.yields) && !r.news;
}

bool SeemsToSpin(const ScheduledThread *t, u32 patience) {
  const Repetition &r = t->repetition;
  return t->stop.repeats && r.rounds >= patience && !HasLocks(r) && !r.news;
}

// Others may need a lock that the loop takes: it does not wait there.
static bool IsProven(const ScheduledThread *t) {
  const Repetition &r = t->repetition;
  if (!r.is_proven || !t->stop.repeats || t->locks > r.last.fewest_locks ||
      r.now.num_reads > r.last.num_reads)
    return false;
  // What has been read in this round again, was the same.
  for (u32 i = 0; i < r.last.num_reads; i++)
    if (ValueAt(r.reads[i].addr, r.reads[i].size) != r.reads[i].value)
      return false;
  return true;
}

// Whether it has done the same for many rounds, in code that is instrumented.
static bool GoesRound(const ScheduledThread *t) {
  const Repetition &r = t->repetition;
  return r.rounds >= kManyRounds && !r.now.leaves && !r.last.leaves &&
         IsProven(t);
}

bool SpinsForEver(const ScheduledThread *t) {
  const Repetition &r = t->repetition;
  return GoesRound(t) && !HasLocks(r) && !r.now.asks_time && !r.last.asks_time;
}

bool SpinsForTime(const ScheduledThread *t) {
  const Repetition &r = t->repetition;
  // A longer round is another one: the loop is over.
  return r.now.num_points <= r.last.num_points &&
         (r.rounds >= kMostRounds || r.polls >= kManyRounds || GoesRound(t));
}

void ProveSpinning(const ScheduledThread *t, Candidate *candidate) {
  const bool is_proven = IsProven(t);
  candidate->seems_to_spin = !is_proven && SeemsToSpin(t, kManyRounds);
  candidate->spins = is_proven || candidate->seems_to_spin;
}

}  // namespace __atsan
