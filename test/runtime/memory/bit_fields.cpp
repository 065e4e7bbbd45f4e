// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: bit-fields in one byte conflict, as they do on the machine;
// bit-fields and members in other bytes do not, when the compiler accesses them
// apart.
// RUN: %exits 66 %t.0 same 2>&1 | FileCheck %s
// RUN: %silent %t.0 other
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %exits 66 %t.2 same 2>&1 | FileCheck %s
// RUN: %silent %t.2 other
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

struct Flags {
  unsigned char ready : 1;
  unsigned char closed : 1;
  // Begins a memory location of its own.
  unsigned char : 0;
  unsigned char level : 4;
} flags;

static void victim() {
  atsan::atomic_region region("victim");
  STEP(1) USE(flags.ready);
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: SUMMARY: {{.*}}bit_fields.cpp:[[#@LINE+1]]:{{[0-9]+}} in victim
  STEP(3) flags.ready = 1;
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "same"))
    in_parallel(victim, [] {
      STEP(2) flags.closed = 1;
    });
  else
    in_parallel(victim, [] {
      STEP(2) flags.level = 5;
    });
}
