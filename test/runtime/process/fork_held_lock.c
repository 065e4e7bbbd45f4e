// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a lock that is held when the process forks, as handlers of
// pthread_atfork do it, is held in the child: online and in the child's trace.
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %silent %t
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %exits 66 %t bad 2>&1 | FileCheck %s
// The two regions may meet, too: then it is seen.
// CHECK: Region 'add' of {{.*}} {{may not be|is not}} atomic
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: env ATSAN_OPTIONS=trace=good %silent %t
// RUN: %atsan trace print good.* | FileCheck %s --check-prefix=TRACE
// TRACE: 1 T0 acquire lock mutex
// TRACE-NEXT: 2 T0 acquire lock recursive
// TRACE-NEXT: 3 T0 acquire lock recursive
// TRACE-NEXT: 4 T0 acquire-shared lock rwlock
// TRACE: T0 release-shared lock rwlock
// TRACE: T0 release lock recursive
// TRACE: T0 release lock recursive
// TRACE: T0 release lock mutex
// RUN: %atsan check --algorithm=reduction --fail-on=potential good.*
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <pthread.h>
#include <sys/wait.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t given_back = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int sum;
static int bad;

static void before(void) {
  pthread_mutex_lock(&given_back);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&given_back);
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  pthread_rwlock_rdlock(&rwlock);
}

static void after(void) {
  pthread_rwlock_unlock(&rwlock);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&mutex);
}

static void *add(void *arg) {
  __atsan_region_begin("add");
  if (!bad)
    pthread_mutex_lock(&mutex);
  sum++;
  if (!bad)
    pthread_mutex_unlock(&mutex);
  __atsan_region_end();
  return arg;
}

static int run(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

int main(int argc, char **argv) {
  int status = 1;
  pid_t child;
  (void)argv;
  bad = argc > 1;
  pthread_atfork(before, after, after);
  child = fork();
  if (!child)
    return run();
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
