// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: pthread_exit and cancellation unwind C++ frames: scoped regions and
// ATSAN_ATOMIC functions on the way end exactly once, and what the thread's
// destructors do after that is outside every region.
// RUN: for i in exit cancel; do \
// RUN:   %silent %t $i || exit 1; \
// RUN:   %exits 66 %t $i inside 2>&1 | FileCheck %s || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <pthread.h>
#include <unistd.h>

int x;
bool by_cancel;

// CHECK: region 'outer'
// CHECK: SUMMARY: {{.*}}thread_exit_unwinds.cpp:

struct ReadsLate {
  ~ReadsLate() {
    STEP(4) USE(x);
  }
};

ATSAN_ATOMIC __attribute__((noinline)) static void leave() {
  atsan::atomic_region inner("inner");
  USE(x);
  if (!by_cancel)
    pthread_exit(nullptr);
  for (;;) pause();
}

static void *thread(void *inside) {
  if (inside) {
    atsan::atomic_region region("outer");
    ReadsLate late; // Goes before the region does.
    STEP(1) USE(x);
    step_end(2);
    leave();
  } else {
    ReadsLate late;
    atsan::atomic_region region("outer");
    STEP(1) USE(x);
    step_end(2);
    leave();
  }
  return nullptr;
}

int main(int argc, char **argv) {
  by_cancel = called_with(argc, argv, "cancel");
  bool inside = called_with(argc, argv, "inside");
  std::thread writer([] {
    STEP(3) x = 1;
  });
  pthread_t victim;
  pthread_create(&victim, nullptr, thread, inside ? &victim : nullptr);
  while (steps_done() < 2) sched_yield();
  if (by_cancel)
    pthread_cancel(victim);
  writer.join();
  pthread_join(victim, nullptr);
}
