//===-- atsan_schedule_wait.h -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the scheduler asks of the kernel and of libc.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_WAIT_H
#define ATSAN_SCHEDULE_WAIT_H

#include "sanitizer_common/sanitizer_atomic.h"

namespace __atsan {

using namespace __sanitizer;

// Waits until the word is not 0, but not for long; returns whether it is.
bool WaitAWhile(atomic_uint32_t *baton);
void WakeBaton(atomic_uint32_t *baton);

// Waits until the word is another one, but not for long.
void WaitWhile(atomic_uint32_t *word, u32 value);
void WakeAll(atomic_uint32_t *word);

// Whether a thread of this process waits in the kernel.
bool IsAsleep(int kernel_id);

// The value of a sem_t.
int SemaphoreValue(uptr semaphore);

// Whether a thread runs the function of a pthread_once_t.
bool OnceIsRunning(uptr control);

// Nanoseconds of a clock of clock_gettime.
u64 RealTime(int clock);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_WAIT_H
