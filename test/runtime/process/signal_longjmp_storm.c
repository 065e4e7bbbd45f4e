// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a handler may leave by siglongjmp wherever it comes, thousands of
// times, also in the middle of the checker's own code: nothing stays locked,
// no region stays open, and the verdicts are right afterwards.
// RUN: %silent %t
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>

enum { kJumps = 2000, kLeastJumps = 20, kSeconds = 10, kBytes = 1 << 12 };

static __thread sigjmp_buf target;
static __thread volatile sig_atomic_t armed;
static pthread_t workers[2];
static char own[2][kBytes];
static int shared_word, x;
static int running, time_is_up;

static void handler(int number) {
  (void)number;
  if (!armed)
    return;
  armed = 0;
  siglongjmp(target, 1);
}

static void endless(int self) {
  for (;;) {
    __atsan_region_begin("left");
    memset(own[self], 1, sizeof(own[self]));
    __atomic_load_n(&shared_word, __ATOMIC_RELAXED);
    __atsan_region_begin("nested");
    __atsan_region_end();
    __atsan_region_end();
    __atomic_fetch_add(&shared_word, 1, __ATOMIC_RELAXED);
  }
}

// A busy machine need not do it all.
ATSAN_NO_SANITIZE __attribute__((noinline)) static int is_time_up(void) {
  return __atomic_load_n(&time_is_up, __ATOMIC_RELAXED);
}
ATSAN_NO_SANITIZE __attribute__((noinline)) static void watch(time_t start) {
  __atomic_store_n(&time_is_up, time(NULL) - start > kSeconds,
                   __ATOMIC_RELAXED);
}

static void *work(void *arg) {
  int self = (int)(long)arg;
  volatile int jumps = 0;
  __atomic_fetch_add(&running, 1, __ATOMIC_RELAXED);
  if (sigsetjmp(target, 1))
    jumps++;
  if (jumps < kLeastJumps || (jumps < kJumps && !is_time_up())) {
    armed = 1;
    endless(self);
  }
  __atomic_fetch_sub(&running, 1, __ATOMIC_RELAXED);
  return NULL;
}

// CHECK: region 'reader'
// CHECK: SUMMARY: {{.*}}signal_longjmp_storm.c:
static void *reader(void *arg) {
  (void)arg;
  __atsan_region_begin("reader");
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) x = 1;
  return NULL;
}

int main(int argc, char **argv) {
  struct timespec pause = {0, 20000};
  time_t start = time(NULL);
  pthread_t a, b;
  long i;
  (void)argv;
  signal(SIGUSR1, handler);
  for (i = 0; i < 2; i++) pthread_create(&workers[i], NULL, work, (void *)i);
  while (__atomic_load_n(&running, __ATOMIC_RELAXED) < 2) sched_yield();
  while (__atomic_load_n(&running, __ATOMIC_RELAXED)) {
    watch(start);
    for (i = 0; i < 2; i++) pthread_kill(workers[i], SIGUSR1);
    nanosleep(&pause, NULL);
  }
  for (i = 0; i < 2; i++) pthread_join(workers[i], NULL);
  if (argc > 1) {
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
  }
  return 0;
}
