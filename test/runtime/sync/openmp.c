// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: where threads meet in OpenMP's runtime, the regions that it is called
// in are divided, as pthread's functions divide them; a call in between of
// anything else does not. (No OpenMP is needed: who is called lets the other
// thread run.)
// RUN: for i in fork teams barrier cancel task after taskloop yield taskwait deps group inner; do %silent %t $i && env ATSAN_OPTIONS=region_splits=none %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; done
// RUN: env ATSAN_OPTIONS=region_splits=barrier %silent %t barrier
// RUN: env ATSAN_OPTIONS=region_splits=start,join,wait %exits 66 %t barrier 2>&1 | FileCheck %s
// RUN: for i in start join; do env ATSAN_OPTIONS=region_splits=$i %silent %t fork || exit 1; done
// RUN: env ATSAN_OPTIONS=region_splits=join %silent %t taskwait
// RUN: %exits 66 %t other 2>&1 | FileCheck %s
// RUN: %exits 66 %t behind 2>&1 | FileCheck %s
// RUN: %exits 66 %t nested 2>&1 | FileCheck --check-prefix=NESTED %s
// RUN: %exits 66 %t resumed 2>&1 | FileCheck %s
// RUN: for i in nested resumed; do rm -f %t.trace; env ATSAN_OPTIONS="trace='%t.trace'" %exits 66 %t $i && %exits 66 %atsan check %t.trace || exit 1; done
// RUN: for i in fork barrier inner; do rm -f %t.trace; env ATSAN_OPTIONS="trace='%t.trace'" %silent %t $i && %atsan check %t.trace || exit 1; done
// RUN: rm -f %t.trace; env ATSAN_OPTIONS="trace='%t.trace'" %exits 66 %t behind && %exits 66 %atsan check %t.trace
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Inputs/changes_twice.h"

#include <pthread.h>
#include <string.h>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'meets'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}openmp.c:
// NESTED: ERROR: AtomicitySanitizer: atomicity violation
// NESTED-NOT: region 'meets'
// NESTED: Region 'inner' of the main thread began:
// NESTED-NEXT: body_with
// NESTED-NOT: region 'meets'

/* What OpenMP's runtime would be. */
#define RUNTIME __attribute__((noinline)) ATSAN_NO_SANITIZE
void let_other_run(void);
RUNTIME void __kmpc_fork_call(void *where, int count, void (*f)(int *), ...) {
  int number = 0;
  (void)where, (void)count;
  f(&number);
}
RUNTIME void __kmpc_fork_teams(void *where, int count, void (*f)(int *), ...) {
  __kmpc_fork_call(where, count, f);
}
RUNTIME void __kmpc_barrier(void *where, int thread) {
  (void)where, (void)thread;
  let_other_run();
}
RUNTIME int __kmpc_cancel_barrier(void *where, int thread) {
  __kmpc_barrier(where, thread);
  return 0;
}
RUNTIME int __kmpc_omp_task(void *where, int thread, void *task) {
  (void)task;
  return __kmpc_cancel_barrier(where, thread);
}
RUNTIME int __kmpc_omp_task_with_deps(void *where, int thread, void *task) {
  return __kmpc_omp_task(where, thread, task);
}
RUNTIME void __kmpc_taskloop(void *where, int thread, void *task) {
  __kmpc_omp_task(where, thread, task);
}
RUNTIME int __kmpc_omp_taskyield(void *where, int thread, int part) {
  (void)part;
  return __kmpc_cancel_barrier(where, thread);
}
RUNTIME int __kmpc_omp_taskwait(void *where, int thread) {
  return __kmpc_cancel_barrier(where, thread);
}
RUNTIME void __kmpc_omp_wait_deps(void *where, int thread) {
  __kmpc_barrier(where, thread);
}
RUNTIME void __kmpc_end_taskgroup(void *where, int thread) {
  __kmpc_barrier(where, thread);
}
RUNTIME void other(void) { let_other_run(); }

ATSAN_TEST_HELPER void let_other_run(void) {
  step_begin(1);
  step_end(1);
  step_begin(3);
}

/* The body of a parallel region, in which the master is no part of 'meets'. */
static void body(int *number) {
  y += *number;
  let_other_run();
  y += *number;
}
static void body_with_barrier(int *number) {
  __kmpc_barrier(NULL, 0);
  x += *number;
  step_begin(3);
  step_end(3);
  step_begin(5);
  y += *number;
}

/* The master's own region in there counts. */
static void body_with_region(int *number) {
  __atsan_region_begin("inner");
  body(number);
  __atsan_region_end();
}
static void body_with_short_region(int *number) {
  __atsan_region_begin("short");
  y += *number;
  __atsan_region_end();
  let_other_run();
}

static void meet(const char *how) {
  if (!strcmp(how, "fork"))
    __kmpc_fork_call(NULL, 0, body);
  else if (!strcmp(how, "teams"))
    __kmpc_fork_teams(NULL, 0, body);
  else if (!strcmp(how, "inner"))
    __kmpc_fork_call(NULL, 0, body_with_barrier);
  else if (!strcmp(how, "nested"))
    __kmpc_fork_call(NULL, 0, body_with_region);
  else if (!strcmp(how, "barrier"))
    __kmpc_barrier(NULL, 0);
  else if (!strcmp(how, "cancel"))
    __kmpc_cancel_barrier(NULL, 0);
  else if (!strcmp(how, "task"))
    __kmpc_omp_task(NULL, 0, NULL);
  else if (!strcmp(how, "after"))
    __kmpc_omp_task_with_deps(NULL, 0, NULL);
  else if (!strcmp(how, "taskloop"))
    __kmpc_taskloop(NULL, 0, NULL);
  else if (!strcmp(how, "yield"))
    __kmpc_omp_taskyield(NULL, 0, 0);
  else if (!strcmp(how, "taskwait"))
    __kmpc_omp_taskwait(NULL, 0);
  else if (!strcmp(how, "deps"))
    __kmpc_omp_wait_deps(NULL, 0);
  else if (!strcmp(how, "group"))
    __kmpc_end_taskgroup(NULL, 0);
  else if (!strcmp(how, "other"))
    other();
  else { /* The region goes on behind. */
    if (!strcmp(how, "resumed"))
      __kmpc_fork_call(NULL, 0, body_with_short_region);
    else
      __kmpc_barrier(NULL, 0);
    x++;
    step_begin(3);
    step_end(3);
    step_begin(5);
  }
}

int main(int argc, char **argv) {
  pthread_t thread;
  (void)argc;
  pthread_create(&thread, NULL, other_thread, NULL);
  __atsan_region_begin("meets");
  x++;
  meet(argv[1]);
  x++;
  __atsan_region_end();
  if (steps_done() < 3) {
    step_begin(3);
    step_end(3);
  }
  pthread_join(thread, NULL);
  return 0;
}
