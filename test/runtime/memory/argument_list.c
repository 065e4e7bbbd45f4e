// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: va_start and va_copy write a list of variable arguments, and va_copy
// reads one: what another thread does with a list that they share in between
// divides the region. The twin's other thread has what lies behind the list.
// RUN: for o in -O0 -O1 -O2; do %clang_atsan $o -I%inputs %s -o test || exit 1; \
// RUN:   for how in start copy from; do \
// RUN:     %exits 66 ./test $how 2>&1 | FileCheck %s || exit 1; \
// RUN:     %silent ./test $how twin || exit 1; done; done
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: {{(read|write) of 24 bytes at .* in region 'job'}}
// CHECK-NEXT: #0 {{(start|copy_list|copy_shared) .*}}argument_list.c
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <stdarg.h>

static struct {
  va_list list;
  long behind;
} shared_list, copied_list;
static int is_copy, is_from, is_twin;

__attribute__((noinline)) static void start(int n, ...) {
  va_start(shared_list.list, n);
}

__attribute__((noinline)) static void copy_list(int n, ...) {
  va_list own;
  va_start(own, n);
  va_copy(shared_list.list, own);
  va_end(own);
}

__attribute__((noinline)) static void copy_shared(void) {
  va_copy(copied_list.list, shared_list.list);
  share(&copied_list);
}

static void *job(void *unused) {
  __atsan_region_begin("job");
  for (int step = 1; step <= 3; step += 2)
    STEP(step) {
      if (is_from)
        copy_shared();
      else if (is_copy)
        copy_list(1, 2);
      else
        start(1, 2);
    }
  __atsan_region_end();
  return unused;
}

static void *meet(void *unused) {
  STEP(2) {
    if (is_twin)
      shared_list.behind = 1;
    else
      shared_list.list->gp_offset = 8;
  }
  return unused;
}

int main(int argc, char **argv) {
  is_copy = !strcmp(argv[1], "copy");
  is_from = !strcmp(argv[1], "from");
  is_twin = argc > 2;
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, job, NULL);
  pthread_create(&threads[1], NULL, meet, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
