//===-- atsan_causality.cpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vector clocks of atsan_causality.h. A change of a byte comes after all
// that touched it before, so these are forgotten; so is what a thread has read,
// when it reads it again.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_causality.h"

#include "lib/schedule/atsan_dice.h"

namespace __atsan {

void Causality::Begin() {
  events_.clear();
  clocks_.clear();
  threads_ = 0;
  granules_.clear();
  touches_.clear();
  free_ = kNone;
}

// Makes room for the thread in each row, and for its row.
void Causality::Know(u32 thread) {
  if (thread < threads_)
    return;
  if (thread >= width_) {
    const u32 width = static_cast<u32>(RoundUpToPowerOfTwo(uptr(thread) + 1));
    InternalMmapVector<u32> wider;
    wider.resize(uptr(width) * width);
    for (u32 i = 0; i < threads_; i++)
      internal_memcpy(wider.data() + uptr(i) * width, Row(i),
                      width_ * sizeof(u32));
    now_.swap(wider);
    width_ = width;
  }
  for (; threads_ <= thread; threads_++)
    internal_memset(Row(threads_), 0, width_ * sizeof(u32));
}

ClockView Causality::ClockOfThread(u32 thread) const {
  if (thread >= threads_)
    return {nullptr, 0};
  return {now_.data() + uptr(thread) * width_, threads_};
}

void Causality::JoinInto(u32 *row, ClockView other) {
  for (u32 i = 0; i < other.size; i++)
    row[i] = Max(row[i], other.counts[i]);
}

void Causality::ComesAfter(u32 thread, u32 event) {
  Know(thread);
  JoinInto(Row(thread), ClockOf(event));
}

u32 Causality::Execute(u32 thread, const Step &step) {
  Know(thread);
  u32 *row = Row(thread);
  const u32 event = NumEvents();
  events_.push_back({thread, ++row[thread], clocks_.size(), threads_});
  if (step.kind != StepKind::kLocal) {
    const bool changes = Changes(step.kind);
    TouchBytes(row, step.object, Max(step.size, 1u), changes);
    if (step.second)
      TouchBytes(row, step.second, 1, changes);
  }
  // resize alone would move all of them each time.
  const uptr size = clocks_.size() + threads_;
  if (size > clocks_.capacity())
    clocks_.reserve(2 * size);
  clocks_.resize(size);
  internal_memcpy(clocks_.data() + events_[event].clock, row,
                  threads_ * sizeof(u32));
  return event;
}

void Causality::TouchBytes(u32 *row, uptr begin, uptr size, bool changes) {
  const uptr last = begin + Min(size - 1, ~begin);
  for (uptr granule = begin >> 3; granule <= last >> 3; granule++) {
    const u32 from = granule == begin >> 3 ? begin & 7 : 0;
    const u32 to = granule == last >> 3 ? last & 7 : 7;
    const u8 mask = static_cast<u8>((0xffu << from) & (0xffu >> (7 - to)));
    auto inserted = granules_.try_emplace(granule, kNone);
    u32 head = inserted.first->second;
    TouchGranule(row, &head, mask, changes);
    inserted.first->second = head;
  }
}

// The current event touches these bytes: it comes after what conflicts with it.
void Causality::TouchGranule(u32 *row, u32 *head, u8 mask, bool changes) {
  const u32 event = NumEvents() - 1;
  for (u32 *at = head; *at != kNone;) {
    Touch *t = &touches_[*at];
    if (t->event != event && (t->mask & mask) && (changes || t->changes))
      JoinInto(row, ClockOf(t->event));
    if (changes ||
        (!t->changes && events_[t->event].thread == events_[event].thread))
      t->mask &= ~mask;
    if (t->mask) {
      at = &t->next;
      continue;
    }
    const u32 gone = *at;
    *at = t->next;
    t->next = free_;
    free_ = gone;
  }
  const u32 added = NewTouch();
  touches_[added] = {event, *head, mask, changes};
  *head = added;
}

u32 Causality::NewTouch() {
  if (free_ == kNone) {
    touches_.push_back({});
    return static_cast<u32>(touches_.size() - 1);
  }
  const u32 touch = free_;
  free_ = touches_[touch].next;
  return touch;
}

u64 Causality::HashOf(u32 event, const Step &step) const {
  const Event &e = events_[event];
  u64 hash = MixBits((u64(e.thread) << 32 | e.index) + 1);
  hash = MixBits(hash ^ (u64(step.size) << 8 | static_cast<u8>(step.kind)));
  const ClockView clock = ClockOf(event);
  for (u32 i = 0; i < clock.size; i++)
    if (clock.counts[i])
      hash = MixBits(hash + (u64(i + 1) << 32 | clock.counts[i]));
  return hash;
}

}  // namespace __atsan
