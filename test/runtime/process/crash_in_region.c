// RUN: %clang_atsan -O1 -fno-omit-frame-pointer -I%inputs %s -o %t -lpthread
// Intent: a crash inside a region is the program's fault, and reported as such,
// with the program's stack; a handler of the program comes first, and may go
// on, also out of an atomic operation.
// RUN: not %run %t null 2>&1 | FileCheck --check-prefix=NULL %s
// RUN: not %run %t libc 2>&1 | FileCheck --check-prefix=LIBC %s
// RUN: %exits 134 %t abort
// RUN: %silent %t handled
// RUN: %exits 66 %t handled bad 2>&1 | FileCheck --check-prefix=BAD %s
// NULL: ERROR: AtomicitySanitizer: SEGV on unknown address
// NULL: #0 {{.*}} in crash {{.*}}crash_in_region.c
// NULL: SUMMARY: AtomicitySanitizer: SEGV {{.*}}crash_in_region.c{{.*}} in crash
// LIBC: ERROR: AtomicitySanitizer: SEGV on unknown address
// LIBC: in crash {{.*}}crash_in_region.c
// LIBC: SUMMARY: AtomicitySanitizer: SEGV {{.*}}crash_in_region.c{{.*}} in crash
// BAD: region 'afterwards'
// BAD: SUMMARY: {{.*}}crash_in_region.c
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf target;
static int x, bad;
static char *volatile null;
static char copy[4096];

static void handler(int number) {
  (void)number;
  siglongjmp(target, 1);
}

__attribute__((noinline)) static void crash(const char *how) {
  if (!strcmp(how, "libc"))
    memcpy(null, copy, sizeof(copy));
  else if (!strcmp(how, "abort"))
    abort();
  else if (!strcmp(how, "atomic"))
    __atomic_fetch_add((int *)null, 1, __ATOMIC_SEQ_CST);
  else
    *null = 1;
  x++;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) {
    if (bad)
      x = 1;
  }
  return NULL;
}

static void *crasher(void *arg) {
  const char *const all[] = {"libc", "atomic", "null"};
  int i;
  (void)arg;
  for (i = 0; i < 100; i++) {
    if (!sigsetjmp(target, 1)) {
      __atsan_region_begin("crashes");
      USE(x);
      crash(all[i % 3]);
    }
  }
  __atsan_region_begin("afterwards");
  STEP(1) USE(x);
  STEP(3) USE(strnlen((const char *)&x, sizeof(x)));
  __atsan_region_end();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  bad = argc > 2;
  if (!strcmp(argv[1], "handled")) {
    signal(SIGSEGV, handler);
    pthread_create(&a, NULL, crasher, argv[1]);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
  }
  __atsan_region_begin("crashes");
  crash(argv[1]);
  return 0;
}
