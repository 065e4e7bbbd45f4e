// RUN: %clangxx_atsan -I %inputs %s -o %t
// Intent: a trace has every kind of event, in the order in which they happened,
// also outside regions and when they repeat.
// RUN: env ATSAN_OPTIONS=trace=%t.trace %t
// RUN: %atsan trace print %t.trace | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <atomic>
#include <pthread.h>

static int x;
static std::atomic<int> a;
static void *place;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;

// clang-format off
static void *other(void *) {
  // CHECK: T1 {{.*}}read {{.*}}record.cpp:[[@LINE+1]]
  STEP(2) { int old = x; x = old + 1; }
  // CHECK: T1 {{.*}}write {{.*}}record.cpp:[[@LINE-1]]
  // CHECK: T0 {{.*}}region-begin {{.*}}'mine' {{.*}}record.cpp
  // CHECK: T0 {{.*}}acquire lock mutex
  STEP(4) { x = 4; }
  // CHECK: T1 {{.*}}write {{.*}}record.cpp:[[@LINE-1]]
  // CHECK: T0 {{.*}}release lock mutex
  // CHECK: T0 {{.*}}region-end
  STEP(6) {
    pthread_rwlock_rdlock(&rwlock);
    a.fetch_add(1);
    pthread_rwlock_unlock(&rwlock);
  }
  // CHECK: T1 {{.*}}acquire-shared lock rwlock
  // CHECK-NEXT: T1 {{.*}}read-modify-write{{.*}}
  // CHECK-NEXT: T1 {{.*}}release-shared lock rwlock
  // CHECK: T0 {{.*}}birth
  // CHECK: T0 {{.*}}write
  // CHECK-NEXT: T0 {{.*}}pointer
  // CHECK: T0 birth {{.*}}, stack) record.cpp
  // CHECK: T0 death {{.*}}, stack) record.cpp
  STEP(8) {}
  // CHECK-DAG: T0 {{.*}}barrier-arrive {{.*}}0x{{[0-9a-f]+}} (of 2 threads)
  // CHECK-DAG: T1 {{.*}}barrier-arrive {{.*}} (of 2 threads)
  // CHECK-DAG: T0 {{.*}}barrier-leave
  // CHECK-DAG: T1 {{.*}}barrier-leave
  // CHECK-DAG: T1 end
  pthread_barrier_wait(&barrier);
  return nullptr;
}

__attribute__((noinline)) static void onStack() {
  int local = 0;
  place = &local;
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  STEP(1) { x = 1; }
  STEP(3) {
    __atsan_region_begin("mine");
    pthread_mutex_lock(&mutex);
  }
  STEP(5) {
    pthread_mutex_unlock(&mutex);
    __atsan_region_end();
  }
  STEP(7) {
    place = malloc(24);
    free(place);
    onStack();
  }
  step_begin(9);
  pthread_barrier_wait(&barrier);
  step_end(9);
  // CHECK: T0 {{.*}}join {{ *}}T1
  pthread_join(t, nullptr);
}
