// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: 10,000 threads created, 1,000 of them alive at once, all of them with
// regions, one of which is open all the time; the last two make a cycle, or
// not.
// RUN: %silent %t
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <limits.h>
#include <pthread.h>

enum { kAlive = 1000, kWaves = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_attr_t small_stack;
static int total, x;

static void *add(void *arg) {
  __atsan_region_begin("add");
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  __atsan_region_end();
  /* Lives until all of its wave are alive. */
  if (arg)
    pthread_barrier_wait(arg);
  return NULL;
}

static void *open_all_the_time(void *arg) {
  (void)arg;
  // CHECK: region 'long'
  __atsan_region_begin("long");
  STEP(1) USE(x);
  // CHECK: SUMMARY: {{.*}}many_threads.c:[[#@LINE+1]]:
  STEP(3) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  x = 1;
  return NULL;
}

static void start(pthread_t *thread, void *(*function)(void *), void *arg) {
  int error = pthread_create(thread, &small_stack, function, arg);
  if (error) {
    fprintf(stderr, "pthread_create: error %d\n", error);
    exit(1);
  }
}

int main(int argc, char **argv) {
  static pthread_t thread[kAlive];
  pthread_t first, last;
  int wave, i;
  (void)argv;
  pthread_attr_init(&small_stack);
  pthread_attr_setstacksize(&small_stack, 64 * 1024);
  start(&first, open_all_the_time, NULL);
  step_begin(2);
  for (wave = 0; wave < kWaves; wave++) {
    pthread_barrier_t all;
    pthread_barrier_init(&all, NULL, kAlive);
    for (i = 0; i < kAlive; i++) start(&thread[i], add, &all);
    for (i = 0; i < kAlive; i++) pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&all);
  }
  if (argc > 1) {
    start(&last, writer, NULL);
    pthread_join(last, NULL);
  }
  step_end(2);
  pthread_join(first, NULL);
  return total == kAlive * kWaves ? 0 : 1;
}
