// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: function-local statics and std::call_once, whose synchronization is
// the library's business, are used in regions without a word; what is done with
// the object afterwards is judged as ever.
// RUN: %silent %t static
// RUN: %silent %t once
// RUN: %silent %t order
// RUN: %exits 66 %t static changed 2>&1 | FileCheck %s
// Nor is the guard of such a static data where nothing synchronizes.
// RUN: for o in -O0 -O2; do %clangxx_atsan $o -fno-threadsafe-statics -I%inputs %s -o %t.unsafe && %silent %t.unsafe order || exit 1; done
// RUN: %exits 66 %t.unsafe static changed 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

struct Object {
  int value;
  Object() : value(17) {}
};

static Object &object() {
  static Object the_object;
  return the_object;
}

struct Empty {
  Empty() { USE(this); }
};

static void construct() {
  static Empty empty;
  USE(&empty);
}

std::once_flag once;
int made, x;

static int made_once() {
  std::call_once(once, [] { made = 5; });
  return made;
}

// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}statics.cpp:

// The second thread constructs nothing, and so comes before the first one.
static void construct_in_order() {
  in_parallel(
      [] {
        atsan::atomic_region region("user");
        STEP(1) construct();
        STEP(3) USE(x);
      },
      [] {
        STEP(2) {
          construct();
          x = 1;
        }
      });
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "order")) {
    construct_in_order();
    return 0;
  }
  bool by_static = called_with(argc, argv, "static");
  bool changed = called_with(argc, argv, "changed");
  auto use = [=] { USE(by_static ? object().value : made_once()); };
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) use();
        STEP(3) use();
      },
      [=] {
        atsan::atomic_region region("user");
        STEP(2) {
          use();
          if (changed)
            object().value = 3;
        }
        STEP(4) use();
      });
}
