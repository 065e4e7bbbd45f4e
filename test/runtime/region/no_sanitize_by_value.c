// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %clang_atsan $level -I%inputs %s -o %t && %silent %t || exit 1; \
// RUN:   %exits 66 %t told 2>&1 | FileCheck %s || exit 1; done
// Intent: what is passed by value (in C, without a copy of the source's before
// the call) to an opted-out function that is inlined is copied by the caller,
// who has opted out, too. The same copy of a caller who has not counts.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

struct huge {
  long v[600];
};
static struct huge object;
static volatile int one = 1;
static volatile long used;

ATSAN_NO_SANITIZE __attribute__((always_inline)) static inline long
last(struct huge h, int i) {
  __asm__ volatile("" : "+m"(h.v[1]) : : "memory");
  h.v[i] = 3;
  return h.v[i + 1];
}
ATSAN_NO_SANITIZE __attribute__((noinline)) static void look(void) {
  used = last(object, one);
}
__attribute__((noinline)) static void look_told(void) {
  struct huge copy = object;
  used = last(copy, one);
}

static void *write_twice(void *unused) {
  __atomic_begin(); // CHECK: region at no_sanitize_by_value.c:[[#@LINE]]
  STEP(1) object.v[3] = 1;
  STEP(3) object.v[3] = 2;
  __atomic_end();
  return unused;
}

static void *look_once(void *is_told) {
  STEP(2) {
    if (is_told)
      look_told();
    else
      look();
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t writer, reader;
  pthread_create(&writer, NULL, write_twice, NULL);
  pthread_create(&reader, NULL, look_once, argc > 1 ? argv : NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
