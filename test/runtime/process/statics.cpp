// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: function-local statics and std::call_once, whose synchronization is
// the library's business, are used in regions without a word; what is done with
// the object afterwards is judged as ever.
// RUN: %silent %t static
// RUN: %silent %t once
// RUN: %exits 66 %t static changed 2>&1 | FileCheck %s
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

std::once_flag once;
int made;

static int made_once() {
  std::call_once(once, [] { made = 5; });
  return made;
}

// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}statics.cpp:

int main(int argc, char **argv) {
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
