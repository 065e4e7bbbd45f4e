// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: what happens in a thread's destructors after its region was left
// open, and after all of its own keys are gone, is neither a crash nor part of
// the region.
// RUN: %exits 0 %t
// RUN: %exits 66 %t inside 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int rounds, x;

/* Comes again until the library has had enough. */
static void destructor(void *value) {
  pthread_mutex_lock(&lock);
  rounds++;
  free(malloc(100));
  pthread_mutex_unlock(&lock);
  pthread_setspecific(key, value);
}

static void *leaves_region_open(void *arg) {
  pthread_setspecific(key, arg);
  // CHECK: region 'open'
  __atsan_region_begin("open");
  STEP(1) USE(x);
  // CHECK: SUMMARY: {{.*}}thread_end_alone.c:[[#@LINE+1]]:
  STEP(3) *(int *)arg = x;
  return NULL;
}

static void *writer(void *arg) {
  if (arg)
    STEP(2) x = 1;
  else
    STEP(2) {
    }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  int result;
  (void)argv;
  pthread_key_create(&key, destructor);
  pthread_create(&a, NULL, leaves_region_open, &result);
  pthread_create(&b, NULL, writer, argc > 1 ? &result : NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return rounds > 0 ? 0 : 1;
}
