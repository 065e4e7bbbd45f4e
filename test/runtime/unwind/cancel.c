// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a thread that is cancelled inside a region, deferred or at any
// instruction, ends its region and leaves nothing locked: later verdicts are
// right. One that comes while the checker is at work waits for the end of that:
// the clean-up is the program's, and counts.
// RUN: %silent %t deferred
// RUN: %silent %t asynchronous
// RUN: %exits 66 %t deferred bad 2>&1 | FileCheck %s
// RUN: %exits 66 %t asynchronous bad 2>&1 | FileCheck %s
// RUN: %silent %t at-work
// RUN: %exits 66 %t at-work bad 2>&1 | FileCheck --check-prefix=AT-WORK %s
// CHECK: region 'reader'
// CHECK: SUMMARY: {{.*}}cancel.c
// AT-WORK: region 'at work'
// AT-WORK: SUMMARY: {{.*}}cancel.c:{{.*}} in read_again
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

enum { kThreads = 200 };

static int asynchronous, bad;
static int x, cleaned;
static int running, shared_word;
static char own[1 << 14], large[1 << 22];

static void clean(void *arg) {
  (void)arg;
  __atomic_fetch_add(&cleaned, 1, __ATOMIC_RELAXED);
}

static void *victim(void *arg) {
  pthread_cleanup_push(clean, arg);
  pthread_setcanceltype(asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS
                                     : PTHREAD_CANCEL_DEFERRED,
                        NULL);
  __atomic_store_n(&running, 1, __ATOMIC_RELEASE);
  for (;;) {
    __atsan_region_begin("cancelled");
    memset(own, 1, sizeof(own));
    __atomic_fetch_add(&shared_word, 1, __ATOMIC_RELAXED);
    if (!asynchronous)
      pthread_testcancel();
    __atsan_region_end();
  }
  pthread_cleanup_pop(0);
  return NULL;
}

static void read_again(void *arg) {
  (void)arg;
  STEP(3) USE(x);
}

// Passes most of its time in the checker, where the cancellation comes.
static void *at_work(void *arg) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  pthread_cleanup_push(read_again, arg);
  __atsan_region_begin("at work");
  STEP(1) USE(x);
  for (;;) {
    memset(large, 1, sizeof(large));
    share(large);
  }
  pthread_cleanup_pop(0);
  return NULL;
}

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
  STEP(2) {
    if (bad)
      x = 1;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  void *result;
  int i;
  (void)argc;
  asynchronous = !strcmp(argv[1], "asynchronous");
  bad = argc > 2;
  if (!strcmp(argv[1], "at-work")) {
    pthread_create(&a, NULL, at_work, NULL);
    while (!shared()) sched_yield();
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(b, NULL);
    pthread_cancel(a);
    pthread_join(a, &result);
    return result != PTHREAD_CANCELED;
  }
  for (i = 0; i < kThreads; i++) {
    __atomic_store_n(&running, 0, __ATOMIC_RELEASE);
    pthread_create(&a, NULL, victim, NULL);
    while (!__atomic_load_n(&running, __ATOMIC_ACQUIRE)) sched_yield();
    pthread_cancel(a);
    pthread_join(a, &result);
    if (result != PTHREAD_CANCELED)
      return 1;
  }
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return cleaned == kThreads ? 0 : 2;
}
