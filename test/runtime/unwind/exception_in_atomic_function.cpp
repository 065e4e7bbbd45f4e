// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: values, destructors and function-level handlers work as ever in
// ATSAN_ATOMIC functions that throw, and an ATSAN_ATOMIC function that cannot
// throw has no trouble either.
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %clangxx_atsan -O2 -fno-exceptions -DNO_EXCEPTIONS -I%inputs %s -o %t.none
// RUN: %silent %t.0
// RUN: %silent %t.2
// RUN: %silent %t.none
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <memory>
#include <string>

struct Counter {
  int *count;
  explicit Counter(int *c) : count(c) {}
  ~Counter() { ++*count; }
};

ATSAN_ATOMIC static int no_throw(int value) noexcept { return value + 1; }

#ifndef NO_EXCEPTIONS
ATSAN_ATOMIC static std::string may_throw(int value, int *destroyed) {
  Counter counter(destroyed);
  std::unique_ptr<int> owner(new int(value));
  if (value > 10)
    throw value;
  return std::string(value, 'x');
}

ATSAN_ATOMIC static int catches(int value, int *destroyed) try {
  return may_throw(value, destroyed).size();
} catch (int thrown) {
  return -thrown;
}

ATSAN_ATOMIC static void rethrows(int value, int *destroyed) {
  try {
    may_throw(value, destroyed);
  } catch (...) {
    ++*destroyed;
    throw;
  }
}
#endif

int main() {
  int destroyed = 0;
  if (no_throw(1) != 2)
    return 1;
#ifndef NO_EXCEPTIONS
  if (catches(5, &destroyed) != 5 || catches(20, &destroyed) != -20)
    return 2;
  try {
    rethrows(20, &destroyed);
    return 3;
  } catch (int thrown) {
    if (thrown != 20)
      return 4;
  }
  if (destroyed != 4)
    return 5;
#else
  (void)destroyed;
#endif
  return 0;
}
