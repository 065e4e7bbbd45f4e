// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: a thread that ends inside a region ends the region, however it ends
// (without libc's knowledge, too: then when it is joined); a cycle through that
// region is found later, and nothing after the end belongs to it.
//
// RUN: for i in return exit cancel unseen; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %exits 0 %t $i good || exit 1; done
// RUN: env ATSAN_OPTIONS=trace=%t.trace %exits 0 %t return good
// RUN: %atsan trace print %t.trace | FileCheck %s --check-prefix=TRACE
// TRACE: T[[T:[0-9]+]] region-begin 'unfinished'
// TRACE: T[[T]] region-begin
// TRACE: T[[T]] region-end
// TRACE-NEXT: T[[T]] region-end
// TRACE-NEXT: T[[T]] end
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int a, b, unrelated;
static const char *how;
static int good;

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'unfinished'

/* Is left unfinished: the region reads a, which the other one has written, then
 * writes b, which the other one reads. */
static void *ends_inside(void *arg) {
  (void)arg;
  __atsan_region_begin("unfinished");
  __atomic_begin();
  STEP(2) {
    USE(a);
    *(good ? &unrelated : &b) = 1;
  }
  if (!strcmp(how, "exit"))
    pthread_exit(NULL);
  if (!strcmp(how, "unseen"))
    syscall(SYS_exit, 0);
  if (!strcmp(how, "cancel"))
    for (;;) pause();
  return NULL;
}

static void *other(void *arg) {
  (void)arg;
  __atsan_region_begin("other");
  STEP(1) a = 1;
  step_begin(4);
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}thread_end.c:[[#@LINE+1]]:{{[0-9]+}} in other
  USE(b);
  __atsan_region_end();
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t first, second;
  how = argv[1];
  good = argc > 2;
  pthread_create(&second, NULL, other, NULL);
  pthread_create(&first, NULL, ends_inside, NULL);
  step_begin(3);
  if (!strcmp(how, "cancel"))
    pthread_cancel(first);
  pthread_join(first, NULL);
  step_end(3);
  pthread_join(second, NULL);
  return 0;
}
