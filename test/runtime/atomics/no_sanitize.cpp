// RUN: for o in int 'Node *' bool Pair double; do \
// RUN:   for level in -O0 -O2; do \
// RUN:     %clangxx_atsan -std=c++20 $level -I%inputs "-DTYPE=$o" %s -o %t -latomic || exit 1; \
// RUN:     for how in load compare exchange function ref; do %silent %t $how || exit 1; done; done; \
// RUN:   %clangxx_atsan -std=c++20 -O1 -I%inputs "-DTYPE=$o" -DOPTED_OUT= %s -o %t.bad -latomic || exit 1; \
// RUN:   for how in load compare exchange function ref; do \
// RUN:     %exits 66 %t.bad $how 2>&1 | FileCheck %s || exit 1; done; done
// Intent: the operations of an opted-out function on objects of type
// std::atomic are its own code, whatever the type: they do not count.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'region'

#ifndef OPTED_OUT
#define OPTED_OUT ATSAN_NO_SANITIZE
#endif

struct Node {};
struct Pair {
  int first, second;
};
using Type = TYPE;

std::atomic<Type> object;
alignas(std::atomic_ref<Type>::required_alignment) Type plain;

OPTED_OUT static void operate(const char *how) {
  Type value = {};
  if (!strcmp(how, "load"))
    object.load();
  else if (!strcmp(how, "compare"))
    object.compare_exchange_strong(value, value);
  else if (!strcmp(how, "exchange"))
    object.exchange(value);
  else if (!strcmp(how, "function"))
    std::atomic_load(&object);
  else
    std::atomic_ref<Type>(plain).load();
}

int main(int, char **argv) {
  in_parallel(
      [=] {
        atsan::atomic_region region("region");
        STEP(1) operate(argv[1]);
        STEP(3) operate(argv[1]);
      },
      [] {
        STEP(2) {
          object.store({});
          std::atomic_ref<Type>(plain).store({});
        }
      });
}
