// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: memory below the program break ends its life when the break comes
// down, and begins a new one when it goes up again, by sbrk and by brk. What
// stays below it lives on.
// RUN: %silent %t sbrk
// RUN: %silent %t brk
// RUN: %exits 66 %t kept 2>&1 | FileCheck %s
// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}program_break.c:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _DEFAULT_SOURCE
#include "atsan_test.h"

#include <malloc.h>
#include <pthread.h>

enum { kSize = 1 << 16 };

static const char *how;
static char *place;

static void end_life(void) {
  int error = 0;
  if (!strcmp(how, "sbrk"))
    error = sbrk(-kSize) != place + kSize || sbrk(kSize) != place;
  if (!strcmp(how, "brk"))
    error = brk(place) || sbrk(0) != place || brk(place + kSize);
  if (error || sbrk(0) != place + kSize) {
    fprintf(stderr, "the break is not where it should be\n");
    _Exit(3);
  }
}

static void *user(void *arg) {
  (void)arg;
  __atsan_region_begin("user");
  STEP(1) place[100] = 1;
  STEP(3) {
    end_life();
    place[100] = 1;
  }
  __atsan_region_end();
  return NULL;
}

static void *other(void *arg) {
  (void)arg;
  STEP(2) place[100] = 2;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  (void)argc;
  how = argv[1];
  mallopt(M_MMAP_THRESHOLD, 1); // libc shall not move the break meanwhile.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  place = sbrk(kSize);
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
