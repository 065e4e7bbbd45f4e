//===-- RandomSchedule.h ---------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random schedules from a seed. Each seed first draws a shape (how many threads
// and events, how often threads take turns, how much they write, ...), so that
// long and short runs, serializable and other ones are all frequent.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_RANDOMSCHEDULE_H
#define ATSAN_UNIT_RANDOMSCHEDULE_H

#include "Schedule.h"
#include <random>

namespace atsan_test {

struct RandomLimits {
  // Threads that live, or have ended and may still be joined, at the same time.
  unsigned MaxUnfinished = 40;
  // Many short threads, one after the other, while a few regions stay open.
  bool Waves = false;
  // Hardly anything but words that are accessed in a row, most of them read.
  bool Sweeps = false;
  // Regions that read the same few words again and again; threads come and go.
  bool Rereads = false;
};

Schedule randomSchedule(uint64_t Seed, const RandomLimits &Limits = {});

// At most `MaxEvents` events, few threads and bytes: for exhaustive methods.
Schedule tinySchedule(uint64_t Seed, unsigned MaxEvents);

} // namespace atsan_test

#endif // ATSAN_UNIT_RANDOMSCHEDULE_H
