//===-- atsan_causality.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which steps of a run must come before which: those of one thread in their
// order, and those that depend on each other (AreDependent) in the order of the
// run, by vector clocks. For each byte that steps have touched it is known
// which ones a later step can come after without coming after another one of
// them.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CAUSALITY_H
#define ATSAN_CAUSALITY_H

#include "lib/schedule/atsan_strategy.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

// For each thread how many of its steps come before something; 0 for threads
// behind the last one.
struct ClockView {
  const u32 *counts;
  u32 size;

  u32 At(u32 thread) const { return thread < size ? counts[thread] : 0; }
};

// A step that has been executed.
struct Event {
  u32 thread;
  u32 index;  // Among the thread's, counted from 1.
  uptr clock;
  u32 clock_size;
};

class Causality {
 public:
  void Begin();
  // Returns the number of the event.
  u32 Execute(u32 thread, const Step &step);
  // All that the thread does from now on comes after the event.
  void ComesAfter(u32 thread, u32 event);

  u32 NumEvents() const { return static_cast<u32>(events_.size()); }
  const Event &At(u32 event) const { return events_[event]; }
  // What comes before the event, and the event itself. Valid until the next one
  // is executed.
  ClockView ClockOf(u32 event) const {
    const Event &e = events_[event];
    return {clocks_.data() + e.clock, e.clock_size};
  }
  // What comes before all that the thread does from now on.
  ClockView ClockOfThread(u32 thread) const;
  // The structure of what came before the event, and its kind and size, as a
  // number that the addresses have no part in.
  u64 HashOf(u32 event, const Step &step) const;

 private:
  static constexpr u32 kNone = ~0u;
  // What an event touches of a granule of 8 bytes.
  struct Touch {
    u32 event;
    u32 next;  // In its granule, or among the free ones; kNone: the last.
    u8 mask;   // A bit for each byte.
    bool changes;
  };

  void Know(u32 thread);
  u32 *Row(u32 thread) { return now_.data() + uptr(thread) * width_; }
  void JoinInto(u32 *row, ClockView other);
  void TouchBytes(u32 *row, uptr begin, uptr size, bool changes);
  void TouchGranule(u32 *row, u32 *head, u8 mask, bool changes);
  u32 NewTouch();

  InternalMmapVector<Event> events_;
  InternalMmapVector<u32> clocks_;
  // A row of `width_` numbers for each of the `threads_` threads.
  InternalMmapVector<u32> now_;
  u32 width_ = 0;
  u32 threads_ = 0;
  DenseMap<uptr, u32> granules_;  // The first of each granule's touches.
  InternalMmapVector<Touch> touches_;
  u32 free_ = kNone;
};

}  // namespace __atsan

#endif  // ATSAN_CAUSALITY_H
