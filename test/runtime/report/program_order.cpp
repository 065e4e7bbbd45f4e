// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a cycle that program order closes: two runs of one region, and
// accesses outside any.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

int first, second, third;

static void write_in_region(int *variable) {
  __atsan_region_begin("write");
  *variable = 1;
  __atsan_region_end();
}

static void *reader(void *) {
  __atsan_region_begin("reader");
  int sum;
  STEP(ORDER(1, 4)) sum = first;
  STEP(5) sum += third;
  __atsan_region_end();
  return sum ? nullptr : nullptr;
}

static void *writer(void *) {
  STEP(ORDER(2, 1)) write_in_region(&first);
  STEP(ORDER(3, 2)) write_in_region(&second);
  return nullptr;
}

static void *copier(void *) {
  STEP(ORDER(4, 3)) {
    int value = second;
    third = value;
  }
  return nullptr;
}

int main() {
  pthread_t a, b, c;
  pthread_create(&a, nullptr, reader, nullptr);
  pthread_create(&b, nullptr, writer, nullptr);
  pthread_create(&c, nullptr, copier, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  pthread_join(c, nullptr);
}
