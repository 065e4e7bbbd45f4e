// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the line that each report proposes suppresses this report, whatever
// the name has in it, and no other one.
// RUN: %python %S/Inputs/use_ready_line.py %t.supp named 'region:^two words$' %t named
// RUN: %python %S/Inputs/use_ready_line.py %t.supp odd 'region:^ 100*^ (*) [x]^ $' %t odd
// RUN: %python %S/Inputs/use_ready_line.py %t.supp unnamed 'function:^bank::account<int>::deposit(int*)$' %t unnamed
// RUN: echo 'region:^two words$' > %t.supp
// RUN: env ATSAN_OPTIONS="suppressions='%t.supp'" %exits 66 %t longer 2>&1 | FileCheck %s
// CHECK: region:^two words more$
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

static void reader(const char *name) {
  atsan::atomic_region region(name);
  STEP(1) USE(x);
  STEP(3) USE(x);
}

namespace bank {

template <class T> struct account {
  __attribute__((noinline)) static void deposit(T *) {
    __atomic_begin();
    STEP(1) USE(x);
    STEP(3) USE(x);
    __atomic_end();
  }
};

} // namespace bank

static void begin(const char *how) {
  if (!strcmp(how, "named"))
    return reader("two words");
  if (!strcmp(how, "longer"))
    return reader("two words more");
  if (!strcmp(how, "odd"))
    return reader(" 100$^ (*) [x]^ ");
  bank::account<int>::deposit(nullptr);
}

int main(int, char **argv) {
  in_parallel([=] { begin(argv[1]); },
              [] {
                STEP(2) x = 1;
              });
}
