// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t -latomic
// Intent: atomics that are too big for the processor, which libatomic does, are
// analysed together with the operation like all others.
//
// RUN: for i in load exchange compare; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
//
// A failed compare-exchange is a read.
// RUN: %silent %t failed
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: atomic {{.*}} of 32 bytes at {{.*}} (global 'object')
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}oversized.cpp:

struct Big {
  long words[4];
};
static std::atomic<Big> object, elsewhere;

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  std::atomic<Big> &theirs = is("good") ? elsewhere : object;
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        Big value;
        STEP(1) value = object.load();
        STEP(3) object.store(value);
      },
      [&] {
        STEP(2) {
          Big value = {{1}}, expected = {{0}};
          if (is("load"))
            theirs.store(value);
          if (is("exchange"))
            theirs.exchange(value);
          if (is("compare") && !theirs.compare_exchange_strong(expected, value))
            abort();
          expected = {{2}};
          if (is("failed") && theirs.compare_exchange_strong(expected, value))
            abort();
        }
      });
}
