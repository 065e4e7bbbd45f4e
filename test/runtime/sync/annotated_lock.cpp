// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a spin lock made of atomics is data, unless annotated; with
// annotations it is a lock like any other. Its critical sections stay what they
// are.
// RUN: %silent %t annotated
// RUN: %exits 66 %t plain 2>&1 | FileCheck --check-prefix=PLAIN %s
// RUN: %exits 66 %t annotated data 2>&1 | FileCheck --check-prefix=DATA %s
// RUN: %exits 66 %t divert 2>&1 | FileCheck --check-prefix=DIVERT %s
// RUN: %silent %t signal
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t annotated 2>&1 | FileCheck --check-prefix=EDGES %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

class SpinLock {
public:
  explicit SpinLock(bool annotated) : annotated_(annotated) {
    if (annotated_)
      __atsan_mutex_create(this, __atsan_mutex_not_static);
  }
  ~SpinLock() {
    if (annotated_)
      __atsan_mutex_destroy(this, __atsan_mutex_not_static);
  }
  void lock() {
    if (annotated_)
      __atsan_mutex_pre_lock(this, 0);
    while (taken_.exchange(true));
    if (annotated_)
      __atsan_mutex_post_lock(this, 0, 0);
  }
  void unlock() {
    if (annotated_)
      __atsan_mutex_pre_unlock(this, 0);
    taken_.store(false);
    if (annotated_)
      __atsan_mutex_post_unlock(this, 0);
  }

private:
  std::atomic<bool> taken_{false};
  char filler_[15];
  const bool annotated_;
};

int x;
int waiters;

static void hold(SpinLock &lock, bool data) {
  lock.lock();
  if (data)
    x++;
  lock.unlock();
}

// PLAIN: region 'victim'
// PLAIN: atomic
// PLAIN: SUMMARY: {{.*}}annotated_lock.cpp:{{[0-9]+}}:{{[0-9]+}} in SpinLock::lock
// DATA: region 'victim'
// DATA: global 'x'
// DATA: SUMMARY: {{.*}}annotated_lock.cpp:{{[0-9]+}}:{{[0-9]+}} in hold
// EDGES: region 'victim'
// EDGES: lock
// EDGES: SUMMARY: {{.*}}annotated_lock.cpp:{{[0-9]+}}:{{[0-9]+}} in SpinLock::lock
// DIVERT: region 'victim'
// DIVERT: global 'waiters'
// DIVERT: SUMMARY: {{.*}}annotated_lock.cpp:

template <class Function> static void run(Function function) {
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) function();
        STEP(3) function();
      },
      [=] {
        STEP(2) function();
      });
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  SpinLock lock(is("annotated"));
  bool data = is("data");
  if (is("annotated") || is("plain"))
    run([&lock, data] { hold(lock, data); });
  // The code within is no part of the lock.
  if (is("divert"))
    run([&lock] {
      __atsan_mutex_pre_lock(&lock, 0);
      __atsan_mutex_pre_divert(&lock, 0);
      waiters++;
      __atsan_mutex_post_divert(&lock, 0);
      __atsan_mutex_post_lock(&lock, __atsan_mutex_try_lock_failed, 0);
    });
  if (is("signal"))
    run([&lock] {
      __atsan_mutex_pre_signal(&lock, 0);
      waiters++;
      __atsan_mutex_post_signal(&lock, 0);
    });
}
