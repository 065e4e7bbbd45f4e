//===-- atsan_run_record.cpp ------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The races of atsan_run_record.h.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_run_record.h"

#include "lib/schedule/atsan_dice.h"
#include "lib/schedule/atsan_eligible.h"

namespace __atsan {

void RunRecord::Begin() {
  causality_.Begin();
  events_.clear();
  first_touch_.clear();
  threads_.clear();
  later_.clear();
  clocks_.clear();
  races_.clear();
  unnamed_ = false;
}

RunRecord::Thread *RunRecord::Get(u32 thread) {
  while (thread >= threads_.size())
    threads_.push_back({kNone, false, false, false, false});
  return &threads_[thread];
}

void RunRecord::See(const Decision &decision) {
  const Eligible eligible(decision);
  bool current_lives = false;
  for (u32 i = 0; i < decision.num_candidates; i++)
    current_lives |= decision.candidates[i].thread == decision.current;
  for (u32 i = 0; i < decision.num_candidates; i++) {
    const Candidate &c = decision.candidates[i];
    if (c.parent != kNoThread)
      Get(c.parent);
    Thread *t = Get(c.thread);
    const bool now = eligible(c);
    if (!t->seen && c.parent != kNoThread) {
      const u32 birth = threads_[c.parent].last;
      if (birth != kNone)
        causality_.ComesAfter(c.thread, birth);
    }
    // By whom a thread became ready matters as long as it has the same step to
    // execute. The end of another thread is local, and what a join waits for.
    if (t->seen && c.thread != decision.current && now && !t->was_eligible &&
        !AreDependent(c.next, events_[events_.size() - 1].step)) {
      if (!current_lives && !t->was_ready) {
        causality_.ComesAfter(c.thread, causality_.NumEvents() - 1);
      } else {
        t->loose = true;
        unnamed_ |= !t->was_ready;
      }
    }
    t->seen = true;
    t->was_ready = c.ready;
    t->was_eligible = now;
  }
}

u32 RunRecord::Execute(const Candidate &candidate) {
  Thread *t = Get(candidate.thread);
  const u32 event = causality_.Execute(candidate.thread, candidate.next);
  events_.push_back({candidate.next, t->last});
  t->last = event;
  t->loose = false;
  return event;
}

u64 RunRecord::StructureOf(u32 event) {
  const Step &step = events_[event].step;
  u64 structure = causality_.HashOf(event, step);
  const uptr objects[] = {step.object, step.second};
  for (uptr object : objects) {
    // Two keys are the map's own.
    const uptr key = Min<uptr>(object, ~uptr(2));
    const u32 first = first_touch_.try_emplace(key, event).first->second;
    structure = MixBits(structure + first);
  }
  return structure;
}

void RunRecord::FindRaces(const Candidate &candidate) {
  const u32 thread = candidate.thread;
  const ClockView clock = causality_.ClockOfThread(thread);
  const uptr known = races_.size();
  for (u32 other = 0; other < threads_.size(); other++) {
    if (other == thread)
      continue;
    for (u32 e = threads_[other].last;
         e != kNone && causality_.At(e).index > clock.At(other);
         e = events_[e].previous)
      if (AreDependent(events_[e].step, candidate.next))
        races_.push_back({e, static_cast<u32>(later_.size())});
  }
  if (races_.size() == known)
    return;
  later_.push_back({candidate.next, thread, causality_.NumEvents(),
                    clocks_.size(), clock.size, Get(thread)->loose});
  for (u32 i = 0; i < clock.size; i++)
    clocks_.push_back(clock.counts[i]);
}

// Whether one of the events that remain comes before what has this clock.
bool RunRecord::ComesAfterSeen(ClockView clock, u32 except) const {
  for (u32 other : present_)
    if (other != except && clock.At(other) >= first_[other])
      return true;
  return false;
}

void RunRecord::FindInitials(const Race &race, Initials *initials) {
  const Later &later = later_[race.later];
  const Event &earlier = causality_.At(race.earlier);
  initials->threads.clear();
  initials->later_waits = initials->later_is_first = false;
  present_.clear();
  first_.clear();
  first_.resize(threads_.size());
  bool depends = false;  // The later step, on one of those that remain.
  for (u32 g = race.earlier + 1; g <= causality_.NumEvents(); g++) {
    if (g == later.event && !first_[later.thread]) {
      initials->later_waits = true;
      const ClockView before = {clocks_.data() + later.clock, later.clock_size};
      initials->later_is_first =
          !depends && !ComesAfterSeen(before, later.thread);
      if (initials->later_is_first)
        initials->threads.push_back(later.thread);
    }
    if (g == causality_.NumEvents())
      break;
    const ClockView clock = causality_.ClockOf(g);
    if (clock.At(earlier.thread) >= earlier.index)
      continue;
    depends |= g < later.event && AreDependent(events_[g].step, later.step);
    const u32 thread = causality_.At(g).thread;
    if (first_[thread])
      continue;
    if (!ComesAfterSeen(clock, thread))
      initials->threads.push_back(thread);
    first_[thread] = causality_.At(g).index;
    present_.push_back(thread);
  }
}

}  // namespace __atsan
