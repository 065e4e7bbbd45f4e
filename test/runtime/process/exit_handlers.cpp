// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what runs before main and after it (constructors, atexit, destructors
// of static and thread-local objects, quick_exit) comes in the same order as
// ever, may have regions, and is checked: a violation in a destructor is found.
// RUN: %run %t >%t.order
// RUN: printf '%%s\n' constructor constructor main destructor handler destructor | diff - %t.order
// RUN: %run %t quick | FileCheck --check-prefix=QUICK %s
// QUICK: constructor
// QUICK-NEXT: handler
// QUICK-NOT: {{.}}
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// CHECK: region 'destructor'
// CHECK: SUMMARY: {{.*}}exit_handlers.cpp
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <cstdlib>

static bool bad;
int x;

struct Object {
  Object() {
    atsan::atomic_region region("constructor");
    x++;
    puts("constructor");
  }
  ~Object() {
    puts("destructor");
    static bool first = true;
    if (!first || !bad)
      return;
    first = false;
    in_parallel(
        [] {
          atsan::atomic_region region("destructor");
          STEP(1) USE(x);
          STEP(3) USE(x);
        },
        [] {
          STEP(2) x++;
        });
  }
};

Object global;
static thread_local Object of_the_thread;

int main(int argc, char **argv) {
  if (called_with(argc, argv, "quick")) {
    std::at_quick_exit([] {
      atsan::atomic_region region("handler");
      x++;
      puts("handler");
      fflush(stdout);
    });
    std::quick_exit(0);
  }
  bad = called_with(argc, argv, "bad");
  std::atexit([] {
    atsan::atomic_region region("handler");
    x++;
    puts("handler");
  });
  USE(&of_the_thread);
  puts("main");
}
