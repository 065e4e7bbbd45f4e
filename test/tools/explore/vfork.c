// RUN: %clang_atsan -O1 -fatomicity-schedule %s -o %t
// RUN: %run %atsan explore --runs=30 --output=%t.out -- %t > %t.log 2>&1; FileCheck %s < %t.log
// RUN: %clang_atsan -O1 -fatomicity-schedule -DTWIN %s -o %t.twin
// RUN: %run %atsan explore --runs=30 --output=%t.out -- %t.twin 2>&1 | FileCheck --check-prefix=TWIN %s
// Intent: what a child of vfork does, and its end, is no step of the schedule:
// its parent is controlled behind it as before, and each run is the same.
// CHECK: 1 atomicity violation, in schedule {{.*}} (replayed 20 of 20 times)
// TWIN-NOT: {{ERROR|WARNING|error|warning}}
// TWIN: {{([2-9]|[1-9][0-9]+) distinct classes: nothing found}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <sanitizer/atsan_interface.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int x, in_child;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Steps that others would notice, were they steps.
__attribute__((noinline)) static void child(void) {
  __atomic_begin();
  pthread_mutex_lock(&mutex);
  in_child++;
  pthread_mutex_unlock(&mutex);
  sched_yield();
  usleep(1);
}

static int run_child(void) {
  int status;
  pid_t pid = vfork();
  if (pid == 0) {
    child();
    _exit(5);
  }
  return waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 5;
}

static void *add(void *unused) {
  (void)unused;
  __atomic_begin();
  pthread_mutex_lock(&mutex);
  int seen = x;
#ifndef TWIN
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
#endif
  x = seen + 1;
  pthread_mutex_unlock(&mutex);
  __atomic_end();
  return NULL;
}

int main(void) {
  pthread_t thread;
  if (!run_child())
    return 1;
  pthread_create(&thread, NULL, add, NULL);
  add(NULL);
  if (!run_child())
    return 2;
  pthread_join(thread, NULL);
  return in_child == 2 ? 0 : 3;
}
