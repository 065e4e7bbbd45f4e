// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a thread that the program makes by clone(2), without libc's
// knowledge, runs instrumented code beside regions: no crash, no deadlock, and
// later verdicts are right.
// RUN: %silent %t
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// CHECK: region 'reader'
// CHECK: SUMMARY: {{.*}}raw_clone.c
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <pthread.h>
#include <sched.h>

static int x, cloned_word, cloned_tid = 1;
static char stack[1 << 16] __attribute__((aligned(16)));

static void *reader(void *arg) {
  (void)arg;
  __atsan_region_begin("reader");
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  STEP(2) {
    if (arg)
      x = 1;
  }
  return NULL;
}

// Shares the TLS of its maker, which waits for it meanwhile.
static int cloned(void *arg) {
  (void)arg;
  cloned_word++;
  __atomic_fetch_add(&cloned_word, 1, __ATOMIC_SEQ_CST);
  return 0;
}

ATSAN_NO_SANITIZE static int run_cloned(void) {
  int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
              CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
  int pid = clone(cloned, stack + sizeof(stack), flags, NULL, NULL, NULL,
                  &cloned_tid);
  if (pid < 0)
    return 0;
  while (__atomic_load_n(&cloned_tid, __ATOMIC_ACQUIRE)) sched_yield();
  return 1;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  (void)argv;
  __atsan_region_begin("maker");
  if (!run_cloned() || cloned_word != 2)
    return 1;
  __atsan_region_end();
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, argc > 1 ? &x : NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
