//===-- noise.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Noise, to compare exploration with: before each access to memory and each
// operation of a mutex, a thread yields or sleeps now and then. The compiler
// calls the first ones (-fsanitize-coverage=trace-loads,trace-stores), the
// linker the others (--wrap). This file is compiled without both.
//
//===----------------------------------------------------------------------===//
#include <ctime>
#include <pthread.h>
#include <random>
#include <sched.h>

namespace {

// One point of so many is noisy; half of these sleep, up to so long.
constexpr unsigned kQuietPoints = 8, kMostNanoseconds = 200000;

void makeNoise() {
  thread_local std::minstd_rand Dice(std::random_device{}());
  const unsigned Thrown = Dice();
  if (Thrown % kQuietPoints)
    return;
  if (Thrown / kQuietPoints % 2) {
    sched_yield();
    return;
  }
  timespec Pause = {0, static_cast<long>(Dice() % kMostNanoseconds)};
  nanosleep(&Pause, nullptr);
}

} // namespace

extern "C" {

void __sanitizer_cov_load1(void *) { makeNoise(); }
void __sanitizer_cov_load2(void *) { makeNoise(); }
void __sanitizer_cov_load4(void *) { makeNoise(); }
void __sanitizer_cov_load8(void *) { makeNoise(); }
void __sanitizer_cov_load16(void *) { makeNoise(); }
void __sanitizer_cov_store1(void *) { makeNoise(); }
void __sanitizer_cov_store2(void *) { makeNoise(); }
void __sanitizer_cov_store4(void *) { makeNoise(); }
void __sanitizer_cov_store8(void *) { makeNoise(); }
void __sanitizer_cov_store16(void *) { makeNoise(); }

int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);

int __wrap_pthread_mutex_lock(pthread_mutex_t *Mutex) {
  makeNoise();
  return __real_pthread_mutex_lock(Mutex);
}
int __wrap_pthread_mutex_unlock(pthread_mutex_t *Mutex) {
  makeNoise();
  return __real_pthread_mutex_unlock(Mutex);
}

} // extern "C"
