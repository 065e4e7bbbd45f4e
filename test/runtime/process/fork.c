// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: fork inside a region and outside, also while other threads are in the
// middle of everything: the child goes on, neither hangs nor reports what is no
// violation; its exit code is its own. A violation of the child's own threads
// is found. What would be a violation with a thread that is in a region and not
// in the child is none there.
//
// RUN: for i in outside inside busy alone; do %silent %t $i || exit 1; done
// RUN: %exits 66 %t together 2>&1 | FileCheck --check-prefix=TOGETHER %s
// RUN: %exits 66 %t child 2>&1 | FileCheck %s
// RUN: %exits 66 %t parent 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int x, y, stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// CHECK: region 'reader'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}fork.c:

static void *reader(void *arg) {
  (void)arg;
  __atsan_region_begin("reader");
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) x = 1;
  return NULL;
}

static void violate(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}

static void *busy(void *arg) {
  int i = 0;
  (void)arg;
  while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
    void *p = malloc(100 + i++ % 1000);
    __atsan_region_begin("busy");
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    __atsan_region_end();
    free(p);
  }
  return NULL;
}

static void *nothing(void *arg) { return arg; }

// After the parent's write, and before its next one.
static void *bystander(void *arg) {
  (void)arg;
  __atsan_region_begin("bystander");
  STEP(2) {
    USE(y);
    USE(x);
  }
  step_begin(4);
  __atsan_region_end();
  return NULL;
}

// TOGETHER: region 'parent'
// TOGETHER: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}fork.c:[[# @LINE + 12]]:
static int fork_beside(int together) {
  pthread_t thread;
  int status = 0;
  pthread_create(&thread, NULL, bystander, NULL);
  __atsan_region_begin("parent");
  STEP(1) y = 1;
  STEP(3) {
    pid_t pid = together ? 0 : fork();
    if (pid)
      waitpid(pid, &status, 0);
    else
      x = 1;
    if (!pid && !together)
      exit(0);
  }
  __atsan_region_end();
  pthread_join(thread, NULL);
  return status;
}

static int child(int violates) {
  pthread_t thread;
  void *p = malloc(1000);
  __atsan_region_begin("child");
  x++;
  __atsan_region_end();
  free(p);
  if (violates)
    violate();
  else if (pthread_create(&thread, NULL, nothing, NULL) == 0)
    pthread_join(thread, NULL);
  return 5;
}

static int fork_and_wait(int violates) {
  int status;
  pid_t pid = fork();
  if (pid == 0)
    exit(child(violates));
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
    return 1;
  if (violates)
    return WEXITSTATUS(status);
  return WEXITSTATUS(status) == 5 ? 0 : 1;
}

int main(int argc, char **argv) {
  int result = 0, i;
  const char *mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "outside"))
    result = fork_and_wait(0);
  if (!strcmp(mode, "inside")) {
    __atsan_region_begin("parent");
    x++;
    result = fork_and_wait(0);
    x++;
    __atsan_region_end();
  }
  if (!strcmp(mode, "busy")) {
    pthread_t thread[2];
    for (i = 0; i < 2; i++) pthread_create(&thread[i], NULL, busy, NULL);
    for (i = 0; i < 20; i++) result |= fork_and_wait(0);
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    for (i = 0; i < 2; i++) pthread_join(thread[i], NULL);
  }
  if (!strcmp(mode, "alone") || !strcmp(mode, "together"))
    result = fork_beside(!strcmp(mode, "together"));
  if (!strcmp(mode, "child"))
    result = fork_and_wait(1);
  if (!strcmp(mode, "parent")) {
    result = fork_and_wait(0);
    violate();
  }
  return result;
}
