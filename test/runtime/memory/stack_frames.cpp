// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// Intent: where the objects of a frame are told to be born and to die by one
// hook each, what lies on the stack next has no conflict with them, and they
// keep their conflicts as long as they live.
// RUN: for p in %t %t.2; do for i in iterations scopes ended thrown argument; do \
// RUN:   %silent $p $i || exit 1; \
// RUN: done; done
// RUN: for p in %t %t.2; do for i in outside around; do \
// RUN:   %exits 66 $p $i 2>&1 | FileCheck %s || exit 1; \
// RUN: done; done
//
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'owner'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stdarg.h>

constexpr int kSize = 400;

// Its arguments lie where frames were, and nobody tells that they are born.
__attribute__((noinline)) static long sum(int n, ...) {
  va_list list;
  va_start(list, n);
  long result = 0;
  while (n--) result += va_arg(list, long);
  va_end(list);
  return result;
}

// Step 2, the other thread's write, comes in between.
__attribute__((noinline)) static void hand_out(char *memory) {
  memset(memory, 1, kSize);
  share(memory);
  step_end(1);
  step_begin(3);
}

// The same place, a different object in each iteration.
__attribute__((noinline)) static void iterations() noexcept {
  char before[8];
  share(before);
  for (int i = 0; i < 2; i++) {
    char own[kSize];
    if (i == 0) {
      hand_out(own);
      continue;
    }
    memset(own, 2, sizeof own);
    share(own);
    USE(own[0]);
  }
}

// Others are born and die while it lives.
__attribute__((noinline)) static void outside() {
  char one[kSize];
  hand_out(one);
  for (int i = 0; i < 2; i++) {
    char other[kSize];
    memset(other, i, sizeof other);
    share(other);
    USE(other[0]);
  }
  USE(one[0]);
}

__attribute__((noinline)) static void around() {
  char one[kSize];
  hand_out(one);
  {
    char other[kSize];
    memset(other, 2, sizeof other);
    share(other);
    USE(other[0]);
  }
  USE(one[0]);
}

__attribute__((noinline)) static void scopes() noexcept {
  {
    char first[kSize];
    hand_out(first);
  }
  {
    char second[kSize];
    memset(second, 2, sizeof second);
    share(second);
    USE(second[0]);
  }
}

__attribute__((noinline)) static void ended() {
  char memory[kSize];
  hand_out(memory);
  __asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static void throws() { throw 1; }

// Left without running code of its own.
__attribute__((noinline)) static void thrown() {
  {
    char memory[kSize];
    hand_out(memory);
  }
  throws();
  __asm__ volatile("" : : : "memory");
}

// What does not fit the registers is an object in the caller's frame.
__attribute__((noinline)) static void seventh(long a, long b, long c, long d,
                                              long e, long f, long own) {
  USE(a + b + c + d + e + f);
  const bool is_first = own == 1;
  share(&own);
  if (is_first) {
    step_end(1);
    step_begin(3);
  }
}

__attribute__((noinline)) static void argument() {
  const volatile long x = 0;
  seventh(x, x, x, x, x, x, 1 + x);
  seventh(x, x, x, x, x, x, 2 + x);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)();
  } kCases[] = {{"iterations", iterations}, {"outside", outside},
                {"around", around},         {"scopes", scopes},
                {"ended", ended},           {"thrown", thrown},
                {"argument", argument}};
  for (const auto &c : kCases) {
    if (!called_with(argc, argv, c.name))
      continue;
    const int size = c.run == argument ? sizeof(long) : kSize;
    in_parallel(
        [&] {
          atsan::atomic_region region("owner");
          try {
            c.run();
          } catch (int) {
          }
          USE(sum(5, 1L, 2L, 3L, 4L, 5L));
        },
        [=] {
          STEP(2) {
            auto *memory = static_cast<char *>(shared());
            for (int i = 0; i < size; i++) memory[i]++;
          }
        });
  }
}
