// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: memory of variable size on the stack ends with its function, or where
// the stack is restored: what lies there next and announces nothing, like
// variable arguments, has no conflict with it. Before, it has.
// RUN: for p in %t %t.0; do for i in frame scope; do \
// RUN:   %silent $p $i || exit 1; \
// RUN:   %exits 66 $p $i twice 2>&1 | FileCheck %s || exit 1; \
// RUN: done; done
//
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'owner'
// CHECK: SUMMARY: {{.*}}stack_variable_size.cpp:{{.*}} in hand_out
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <alloca.h>
#include <stdarg.h>

constexpr int kSize = 4000;

__attribute__((noinline)) static long sum(int n, ...) {
  va_list list;
  va_start(list, n);
  long result = 0;
  while (n--) result += va_arg(list, long);
  va_end(list);
  return result;
}

static void hand_out(char *memory, bool twice) {
  share(memory);
  step_end(1);
  step_begin(3);
  if (twice)
    USE(memory[0]);
}

__attribute__((noinline)) static void frame(int size, bool twice) {
  char *memory = static_cast<char *>(alloca(size));
  memset(memory, 1, size);
  hand_out(memory, twice);
  __asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static void scope(int size, bool twice) {
  {
    char memory[size];
    memset(memory, 1, size);
    hand_out(memory, twice);
  }
  USE(sum(5, 1L, 2L, 3L, 4L, 5L));
}

int main(int argc, char **argv) {
  auto run = called_with(argc, argv, "frame") ? frame : scope;
  bool twice = called_with(argc, argv, "twice");
  in_parallel(
      [=] {
        atsan::atomic_region region("owner");
        run(kSize, twice);
        USE(sum(5, 1L, 2L, 3L, 4L, 5L));
      },
      [] {
        STEP(2) {
          auto *memory = static_cast<char *>(shared());
          for (int i = 0; i < kSize; i++) memory[i]++;
        }
      });
}
