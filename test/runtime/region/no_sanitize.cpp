// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: accesses of an ATSAN_NO_SANITIZE function do not count, and the
// optimizer may not move them into functions whose accesses do.
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %clangxx_atsan -O3 -I%inputs %s -o %t.3
// RUN: %silent %t.0 ignored
// RUN: %silent %t.2 ignored
// RUN: %silent %t.3 ignored
// RUN: %exits 66 %t.0 2>&1 | FileCheck %s
// RUN: %exits 66 %t.2 2>&1 | FileCheck %s
// RUN: %exits 66 %t.3 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y;
int z;
char buffer[4000];

ATSAN_NO_SANITIZE static inline void store_ignored(int value) {
  x = value;
  __atomic_store_n(&z, value, __ATOMIC_RELEASE);
  for (int i = 0; i < value; i++) buffer[i] += value;
}

static inline void store(int value) { y = value; }

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: global 'y'
// CHECK: SUMMARY: {{.*}}no_sanitize.cpp:{{[0-9]+}}:{{[0-9]+}} in

int main(int argc, char **argv) {
  bool ignored = called_with(argc, argv, "ignored");
  auto read_all = [] { USE(x + y + z + buffer[0]); };
  in_parallel(
      [=] {
        atsan::atomic_region region("reader");
        STEP(1) read_all();
        STEP(3) read_all();
      },
      [=] {
        STEP(2) {
          if (ignored)
            store_ignored(1);
          else
            store(1);
        }
      });
}
