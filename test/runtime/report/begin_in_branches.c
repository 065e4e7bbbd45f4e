// RUN: for o in 0 1 2 3; do %clang_atsan -O$o -I%inputs %s -o %t.$o -lpthread && %clang_atsan -O$o '-DCOPY(to,from)=memcpy(to,from,40)' -I%inputs %s -o %t.m$o -lpthread || exit 1; done
// Intent: two regions that begin in two branches, and two calls of libc there,
// stay two for the optimizer: a report and a list of exclusions know the line.
// RUN: for o in 0 1 2 3 m0 m1 m2 m3; do %exits 66 %t.$o first 2>&1 | FileCheck --check-prefix=FIRST %s || exit 1; %exits 66 %t.$o second 2>&1 | FileCheck --check-prefix=SECOND %s || exit 1; done
// FIRST: Region at begin_in_branches.c:[[@LINE+25]] of T1 is not atomic
// FIRST: #{{[01]}} branches {{.*}}begin_in_branches.c:[[@LINE+26]]
// SECOND: Region at begin_in_branches.c:[[@LINE+28]] of T1 is not atomic
// SECOND: #{{[01]}} branches {{.*}}begin_in_branches.c:[[@LINE+29]]
// RUN: echo begin_in_branches.c:30 > %t.list
// RUN: for o in 0 1 2 3; do env "ATSAN_OPTIONS=exclude_regions='%t.list'" %silent %t.$o first && env "ATSAN_OPTIONS=exclude_regions='%t.list'" %exits 66 %t.$o second || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

#ifndef COPY
#define COPY(to, from) strcpy(to, from)
#endif

char text[48] = "abc";
static int first;

__attribute__((noinline)) static void branches(void) {
  char copy[48];
  if (first) {
    __atomic_begin();
    STEP(1) USE(text[0]);
    STEP(3) COPY(copy, text);
    __atomic_end();
  } else {
    __atomic_begin();
    STEP(1) USE(text[0]);
    STEP(3) COPY(copy, text);
    __atomic_end();
  }
  USE(copy[0]);
}

static void *other(void *unused) {
  STEP(2) text[0] = 'b';
  return unused;
}
static void *own(void *unused) {
  branches();
  return unused;
}

int main(int argc, char **argv) {
  (void)argc;
  first = !strcmp(argv[1], "first");
  pthread_t a, b;
  pthread_create(&a, NULL, own, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
