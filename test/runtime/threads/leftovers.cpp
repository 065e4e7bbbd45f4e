// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what a thread leaves unfinished at its end (open regions, ignored
// accesses, a taken lock, a place to jump to) ends with it: the thread that
// gets its state is analysed, has no region, and holds no lock.
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// RUN: %exits 0 %t good
// RUN: %exits 0 %t outside
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <pthread.h>
#include <setjmp.h>

extern "C" void AnnotateIgnoreReadsBegin(const char *file, int line);
extern "C" void AnnotateIgnoreWritesBegin(const char *file, int line);

static int x, y;
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static thread_local jmp_buf place;

static void *leave_all(void *lock) {
  for (int i = 0; i < 1000; i++) __atsan_region_begin("unfinished");
  __atsan_region_begin("unfinished, too");
  pthread_mutex_lock(static_cast<pthread_mutex_t *>(lock));
  setjmp(place);
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  return nullptr;
}

static void access(int *first, int *last) {
  STEP(1) USE(*first);
  STEP(3) USE(*last);
}

// CHECK: region 'of its own'
// CHECK-NOT: unfinished
// CHECK: SUMMARY: {{.*}}leftovers.cpp:

int main(int argc, char **argv) {
  int *last = called_with(argc, argv, "good") ? &y : &x;
  bool outside = called_with(argc, argv, "outside");
  for (pthread_mutex_t &lock : locks) {
    pthread_t thread;
    pthread_create(&thread, nullptr, leave_all, &lock);
    pthread_join(thread, nullptr);
  }
  in_parallel(
      [=] {
        if (outside)
          return access(&x, &x);
        atsan::atomic_region region("of its own");
        access(&x, last);
      },
      [] {
        STEP(2) x = 1;
      });
}
