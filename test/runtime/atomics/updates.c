// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: an operation of C or OpenMP that updates an atomic object is one
// access, also where clang makes a loop of it that tries until it succeeds: a
// region of one such operation is atomic. The twins are the same loop, written
// in the source, whose reads count; and two operations in a region.
// RUN: for o in -O0 -O1 -O2; do \
// RUN:   %clang_atsan $o -fatomicity-schedule -fopenmp -I%inputs -w -c %s -o test.o || exit 1; \
// RUN:   %clang_atsan $o -fatomicity-schedule test.o -latomic -lm -o test || exit 1; \
// RUN:   for how in multiply add-real count-long-real truth shift remainder wide value either omp-multiply omp-from omp-real omp-long omp-complex omp-bits omp-capture; do \
// RUN:     %silent ./test $how || exit 1; \
// RUN:     %atsan explore --strategy=systematic --timeout=30 -- ./test $how || exit 1; done; done > seen
// RUN: FileCheck --implicit-check-not=found --input-file=seen %s
// CHECK-COUNT-48: all {{[0-9]+}} classes of schedules: nothing found
// RUN: for how in loop weak twice; do %exits 66 %atsan explore --strategy=systematic --timeout=30 -- ./test $how || exit 1; done > twins
// RUN: FileCheck --check-prefix=TWIN --input-file=twins %s
// TWIN-COUNT-3: 1 atomicity violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static _Atomic int number = 1;
static _Atomic double real = 1;
static _Atomic long double longReal = 1;
static _Atomic _Bool truth;
static _Atomic unsigned char byte = 1;
static _Atomic short half = 1;
static _Atomic __int128 wide = 1;
static int plain = 1;
static double plainReal = 1;
static long double plainLong = 1;
static _Complex double plainComplex = 1;
static struct {
  int a : 5, b : 7;
} bits;

extern unsigned __atsan_scheduled;

static void update(const char *how) {
  if (!strcmp(how, "multiply"))
    number *= 3;
  else if (!strcmp(how, "add-real"))
    real += 1.5;
  else if (!strcmp(how, "count-long-real"))
    longReal++;
  else if (!strcmp(how, "truth"))
    truth ^= 1;
  else if (!strcmp(how, "shift"))
    byte <<= 1;
  else if (!strcmp(how, "remainder"))
    half %= 5;
  else if (!strcmp(how, "wide"))
    wide *= 3;
  else if (!strcmp(how, "value")) {
    int value = number *= 3;
    USE(value);
  } else if (!strcmp(how, "either")) {
    if (plain)
      number *= 3;
    else
      number *= 5;
  } else if (!strcmp(how, "omp-multiply")) {
#pragma omp atomic
    plain *= 3;
  } else if (!strcmp(how, "omp-from")) {
#pragma omp atomic
    plain = 3 - plain;
  } else if (!strcmp(how, "omp-real")) {
#pragma omp atomic
    plainReal *= 3;
  } else if (!strcmp(how, "omp-long")) {
#pragma omp atomic
    plainLong *= 3;
  } else if (!strcmp(how, "omp-complex")) {
#pragma omp atomic
    plainComplex += 1;
  } else if (!strcmp(how, "omp-bits")) {
#pragma omp atomic
    bits.b += 1;
  } else if (!strcmp(how, "omp-capture")) {
    int value;
#pragma omp atomic capture
    value = plain *= 3;
    USE(value);
  } else if (!strcmp(how, "loop")) {
    long double old, next;
    __atomic_load(&plainLong, &old, __ATOMIC_SEQ_CST);
    do next = old * 3;
    while (!__atomic_compare_exchange(&plainLong, &old, &next, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  } else if (!strcmp(how, "weak")) {
    int old = number;
    while (!atomic_compare_exchange_weak(&number, &old, old * 3));
  } else if (!strcmp(how, "twice")) {
    number *= 3;
    number *= 3;
  }
}

static int isTwin(const char *how) {
  return !strcmp(how, "loop") || !strcmp(how, "weak") || !strcmp(how, "twice");
}

static void *run(void *how) {
  for (int i = 0; i < (__atsan_scheduled ? 1 : 20000); i++) {
    __atomic_begin();
    update(how);
    __atomic_end();
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread;
  const char *how = argc > 1 ? argv[1] : "multiply";
  // Where nobody controls the threads, a twin may or may not be found.
  if (!__atsan_scheduled && isTwin(how)) {
    update(how);
    return 0;
  }
  pthread_create(&thread, NULL, run, argv[1]);
  run(argv[1]);
  pthread_join(thread, NULL);
  return 0;
}
