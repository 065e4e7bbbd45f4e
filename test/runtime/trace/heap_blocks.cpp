// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t
// RUN: %atsan predict %t.trace | FileCheck %s
// RUN: %atsan predict --format=json %t.trace > %t.json
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: %python %atsan_source_dir/test/tools/report/Inputs/validate.py json %check_schema %t.json
// Intent: addresses of the heap and numbers of threads are others in the next
// run. A finding says which block it is of those that a thread allocated at a
// place, and which of its parent's threads a thread is. A block that is freed
// is another one than the next at its address.
// CHECK: read of 8 bytes at 0x{{.*}} (byte 8 of T0's heap block 3 from heap_blocks.cpp:[[#MAKE:]], called at heap_blocks.cpp:[[#CALL:]]) by T
// CHECK: write of 8 bytes at 0x{{.*}} (byte 8 of T0's heap block 3 from heap_blocks.cpp:[[#MAKE]], called at heap_blocks.cpp:[[#CALL]]) by T
// CHECK-DAG: is thread 1 that T0 started (event
// CHECK-DAG: is thread 1 that T1 started (event
// JSON: "label": "T0's heap block 3 from heap_blocks.cpp:[[#MAKE:]], called at heap_blocks.cpp:[[#]]"
// JSON-NEXT: "allocation"
// JSON-NEXT: {
// JSON-NEXT: "function": "make
// JSON: "child": 1
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <stdlib.h>
#include <thread>

static long *account;

[[gnu::noinline]] static long *make() {
  auto *fresh = static_cast<long *>(malloc(16));
  fresh[1] = 0;
  return fresh;
}

static void deposit() {
  atsan::atomic_region region("deposit");
  const long was = account[1];
  account[1] = was + 1;
}

int main() {
  // The second one has the memory of the first.
  for (int i = 0; i < 3; i++) {
    if (i != 2)
      free(account);
    account = make();
  }
  // Both deposits may be at a time, but are not in this run.
  std::thread([] {
    std::thread child([] {
      STEP(2) deposit();
    });
    STEP(1) deposit();
    child.join();
  }).join();
  free(account);
}
