// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: of a recursion of more than 128 frames the innermost calls are told,
// and that there are others; what it costs to find them does not grow with its
// depth. Each of these takes 30 seconds if all frames are looked at every time.
// RUN: ulimit -t 20 && %run %t fill 60000 8
// RUN: ulimit -t 20 && %run %t allocate 60000 8
// This one takes 5 seconds if 2000 frames are compared at each first access.
// RUN: ulimit -t 2 && %run %t fill 2000 2500
// RUN: %exits 66 %t readAndWrite 100 2>&1 | FileCheck --check-prefix=ONCE %s
// ONCE: First: read of 4 bytes
// ONCE-NEXT: {{#0 .*}}read(
// ONCE-NEXT: {{#1 .*}}down(
// ONCE-NEXT: {{#2 .*}}down(
// ONCE-NEXT: {{#3 .*}}readAndWrite(
// ONCE: [of a recursion, each call is shown once]
// RUN: %exits 66 %t readAndWrite 5000 2>&1 | FileCheck --check-prefix=MORE %s
// MORE: First: read of 4 bytes
// MORE-NEXT: {{#0 .*}}read(
// MORE-NEXT: {{#1 .*}}down(
// MORE-NEXT: {{#2 .*}}down(
// MORE-NOT: down(
// MORE: [callers are left out: there are too many]
// MORE: Later:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <cstdlib>

static int counter;

// Not a tail call.
#define STAY asm volatile("" ::: "memory")

__attribute__((noinline)) static int read() {
  int value = counter;
  STAY;
  return value;
}

__attribute__((noinline)) static int down(int depth) {
  int value = depth ? down(depth - 1) : read();
  STAY;
  return value;
}

__attribute__((noinline)) static void readAndWrite(int depth) {
  atsan::atomic_region region("sum");
  int value;
  STEP(1) value = down(depth);
  STEP(3) counter = value + 1;
}

// Has a first access in each frame, on the way down and on the way back.
__attribute__((noinline)) static void fill(int *values, int depth) {
  values[depth] = depth;
  if (depth)
    fill(values, depth - 1);
  STAY;
  values[depth]++;
}

__attribute__((noinline)) static void allocate(int depth) {
  void *block = std::malloc(16);
  asm volatile("" : "+r"(block)::"memory");
  if (depth)
    allocate(depth - 1);
  std::free(block);
}

int main(int argc, char **argv) {
  const int depth = std::atoi(argv[2]);
  if (called_with(argc, argv, "readAndWrite")) {
    in_parallel([=] { readAndWrite(depth); },
                [] {
                  STEP(2) counter = 1;
                });
    return 0;
  }
  const int rounds = std::atoi(argv[3]);
  int *values = new int[depth + 1];
  for (int round = 0; round < rounds; round++) {
    atsan::atomic_region region("deep");
    if (called_with(argc, argv, "allocate"))
      allocate(depth);
    else
      fill(values, depth);
  }
  delete[] values;
}
