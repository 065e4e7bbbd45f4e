// RUN: %clangxx_atsan -O0 -fatomicity-schedule %s -o %t && env ATSAN_OPTIONS=schedule_strategy=random %run %t | FileCheck %s
// RUN: %clangxx_atsan -O2 -fatomicity-schedule %s -o %t && env ATSAN_OPTIONS=schedule_strategy=random %run %t | FileCheck %s
// RUN: %if avx2 %{ %clangxx_atsan -O2 -mavx2 -fatomicity-schedule %s -o %t && %run %t | FileCheck %s && env ATSAN_OPTIONS=schedule_strategy=random %run %t | FileCheck %s %}
// Intent: a function whose argument is copied to the stack goes on in its
// scheduled body with that argument, and its caller's registers are kept.
// CHECK: 1 2 3, 4 5 6, 7 8
// CHECK: 10 20 30
// CHECK: 4.75
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdarg>
#include <cstdio>
#include <thread>

struct Three {
  long a, b, c;
};

using Show = void (*)(Three, long, Three, long);

extern "C" __attribute__((noinline)) void show(Three x, long n, Three y,
                                               long m) {
  printf("%ld %ld %ld, %ld %ld %ld, %ld %ld\n", x.a, x.b, x.c, y.a, y.b, y.c, n,
         m);
}

extern "C" __attribute__((noinline)) void showSome(Three x, int count, ...) {
  va_list more;
  va_start(more, count);
  x.a *= va_arg(more, int);
  va_end(more);
  printf("%ld %ld %ld\n", x.a, x.b, x.c);
}

extern "C" __attribute__((noinline)) void showSum(int count, ...) {
  va_list more;
  va_start(more, count);
  double sum = 0;
  while (count--) sum += va_arg(more, double);
  va_end(more);
  printf("%g\n", sum);
}

Show volatile functionToCall = show;

int main(int argc, char **) {
  long kept[4] = {argc, argc + 1, argc + 2, argc + 3};
  std::thread t([&] {
    functionToCall({1, 2, 3}, 7, {4, 5, 6}, 8);
    showSome({5, 20, 30}, 1, 2);
    showSum(3, 1.5, 2.25, 1.0);
  });
  t.join();
  return kept[0] + kept[3] - kept[1] - kept[2];
}
