// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a parameter that is passed by copy, in memory, is written when the
// function is called: what another thread does with it in between divides the
// region that made the call. The twin's other thread has what lies behind it,
// or the region does nothing with it afterwards.
// RUN: for o in -O0 -O1 -O2; do for n in 1 4 5 40; do \
// RUN:   %clang_atsan $o -I%inputs -DNUMBERS=$n %s -o test || exit 1; \
// RUN:   for how in read write; do \
// RUN:     %exits 66 ./test $how 2>&1 | FileCheck %s || exit 1; done; \
// RUN:   for how in other last; do %silent ./test $how || exit 1; done; done; done
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: First: write of {{[0-9]+}} bytes {{.*}} in region 'caller'
// CHECK-NEXT: #0 use {{.*}}parameters.c
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

typedef struct {
  int numbers[NUMBERS];
  int other;
} Parameter;

static const char *how;

__attribute__((noinline)) static int use(Parameter p) {
  share(&p);
  STEP(1);
  STEP(3);
  if (!strcmp(how, "last"))
    return 0;
  if (strcmp(how, "write"))
    p.numbers[0] = 9;
  share(NULL); // The optimizer must not know that nobody sees the write.
  return p.numbers[0];
}

static void *caller(void *unused) {
  Parameter p = {{1}, 2};
  __atsan_region_begin("caller");
  USE(use(p));
  __atsan_region_end();
  return unused;
}

static void *meet(void *unused) {
  STEP(2) {
    Parameter *p = shared();
    if (!strcmp(how, "other"))
      USE(p->other);
    else if (!strcmp(how, "write"))
      p->numbers[0] = 7;
    else
      USE(p->numbers[0]);
  }
  return unused;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  how = argc > 1 ? argv[1] : "read";
  pthread_create(&threads[0], NULL, caller, NULL);
  pthread_create(&threads[1], NULL, meet, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
