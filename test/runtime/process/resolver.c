// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a region in the resolver of an indirect function, which the loader
// calls while it relocates the program, and before any constructor, is none and
// does no harm; regions later on are found.
// RUN: for region in -DMARKS -fatomicity-regions=exported; do for o in -O0 -O2; do \
// RUN:   %clang_atsan $o $region -DLIBRARY -fPIC -shared %s -o libchosen.so || exit 1; \
// RUN:   for l in -Wl,-z,now -Wl,-z,lazy -shared-libsan; do \
// RUN:     %clang_atsan $o -I%inputs $l %s -L. -lchosen -Wl,-rpath,%t -o test || exit 1; \
// RUN:     %silent ./test twin || exit 1; \
// RUN:     %exits 66 ./test 2>&1 | FileCheck %s || exit 1; done; done; done
// CHECK: Region 'caller' {{.*}} is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifdef LIBRARY

void __atomic_begin(void);
void __atomic_end(void);

static int one(void) { return 1; }
int choose(void) {
#ifdef MARKS
  __atomic_begin();
  __atomic_end();
#endif
  return 1;
}
static void *resolve(void) { return choose() ? (void *)one : (void *)0; }
int chosen(void) __attribute__((ifunc("resolve")));

#else

#include "atsan_test.h"

#include <pthread.h>

int chosen(void);

static int number;

static void *meet(void *unused) {
  STEP(2) number = 7;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, meet, NULL);
  __atsan_region_begin("caller");
  STEP(1) number = chosen();
  STEP(3)
    if (argc == 1)
      number++;
  __atsan_region_end();
  pthread_join(thread, NULL);
}

#endif
