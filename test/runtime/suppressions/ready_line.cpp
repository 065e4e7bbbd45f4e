// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the line that each report proposes suppresses this report, whatever
// the name has in it, and no other one.
// RUN: for how in named odd unnamed; do %python %S/Inputs/use_ready_line.py %t.supp $how %t $how || exit 1; done
// RUN: env ATSAN_OPTIONS="suppressions='%t.supp.named'" %exits 66 %t longer 2>&1 | FileCheck %s
// CHECK: Region 'two words more' of T1 is not atomic
// Without names of functions, too.
// RUN: env ATSAN_SYMBOLIZER_PATH=/nonexistent/llvm-symbolizer %python %S/Inputs/use_ready_line.py %t.supp offset %t unnamed
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
