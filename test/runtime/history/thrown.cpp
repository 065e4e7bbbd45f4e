// Intent: an operation that threw never returns, and may take effect at any
// time. What comes behind it is decided at the end of the object, or of the
// program. Its call is not taken for a later one of the same thread.
// RUN: %clangxx_atsan -std=c++17 -g -O1 -I%inputs %s -o %t
// RUN: for end in object program; do \
// RUN:   %exits 66 %t $end 8 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $end 0 && %silent %t $end 1 || exit 1; done
// RUN: %silent %t again
// RUN: %clangxx -std=c++17 -I%atsan_source_dir/include -I%inputs %s -o %t.alone -pthread
// RUN: %exits 66 %t.alone object 8 2>&1 | FileCheck %s
// RUN: %silent %t.alone object 0 && %silent %t.alone object 1
// CHECK: ERROR: AtomicitySanitizer: linearizability violation: register 'x'
// CHECK: {{read finds|finds 8}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <sanitizer/atsan_history.hpp>
#include <stdlib.h>
#include <string.h>
#include <thread>

// Others return while two calls of one thread are open.
static void call_again() {
  static int x;
  __atsan_history_begin(&x, 1, 32, "x");
  std::thread other([] {
    STEP(1) __atsan_call(&x, __atsan_read, 0, 0);
    STEP(3) __atsan_return(&x, 1, 0);
  });
  STEP(2) {
    __atsan_call(&x, __atsan_read, 0, 0); // It throws.
    __atsan_call(&x, __atsan_write, 5, 0);
  }
  STEP(4) __atsan_return(&x, 0, 1);
  other.join();
  __atsan_history_end(&x);
}

int main(int, char **argv) {
  if (!strcmp(argv[1], "again")) {
    call_again();
    return 0;
  }
  auto *watched = new atsan::history<int>("x", 0);
  try {
    watched->write(1, [] { throw 1; });
  } catch (int) {
  }
  watched->read([=] { return atoi(argv[2]); });
  if (!strcmp(argv[1], "object"))
    delete watched;
}
