// RUN: for o in "-O0" "-O2" "-O2 -flto -fuse-ld=lld" "-O1 -flto=thin -fuse-ld=lld" "-O2 -flto=thin -fuse-ld=lld"; do \
// RUN:   %clang_atsan $o -fenable-matrix -I%inputs %s -o %t || exit 1; \
// Intent: a matrix that is stored or loaded is so column by column, also where
// LLVM makes loads and stores of that only after linking (ThinLTO): that of
// another thread divides a region. The twin's matrix has no such column.
// RUN:   for how in store load; do \
// RUN:     %exits 66 %t $how 2>&1 | FileCheck %s || exit 1; \
// RUN:     %silent %t $how twin || exit 1; done; done
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: #0 other {{.*}}matrix.c:[[#]]:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

typedef float Matrix __attribute__((matrix_type(3, 3)));

float numbers[32];
Matrix stored, loaded;
volatile float seen;
static int is_load, is_twin;

static void *other(void *unused) {
  float *place = is_twin ? numbers + 16 : numbers;
  STEP(2) {
    if (is_load)
      loaded = __builtin_matrix_column_major_load(place, 3, 3, 4);
    else
      __builtin_matrix_column_major_store(stored, place, 4);
  }
  return unused;
}

int main(int argc, char **argv) {
  is_load = !strcmp(argv[1], "load");
  is_twin = argc > 2;
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  __atomic_begin();
  // The second number of the second column.
  STEP(1) {
    if (is_load)
      numbers[5] = 1;
    else
      seen = numbers[5];
  }
  STEP(3) {
    if (is_load)
      numbers[5] = 2;
    else
      seen = numbers[5];
  }
  __atomic_end();
  pthread_join(thread, NULL);
  return 0;
}
