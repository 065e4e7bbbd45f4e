// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a scoped region ends however its scope is left.
// RUN: %silent %t return
// RUN: %silent %t break
// RUN: %silent %t goto
// RUN: %silent %t continue
// RUN: %exits 66 %t inside 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

static void by_return() {
  atsan::atomic_region region;
  if (x == 0)
    return;
  USE(x);
}

static void by_break() {
  for (;;) {
    atsan::atomic_region region;
    USE(x);
    break;
  }
}

static void by_goto() {
  {
    atsan::atomic_region region;
    USE(x);
    goto out;
  }
out:
  return;
}

static void by_continue() {
  for (int i = 0; i < 2; i++) {
    atsan::atomic_region region;
    if (i == 0)
      continue;
    USE(x);
  }
}

int main(int argc, char **argv) {
  auto reads_after = [](void (*leave)()) {
    in_parallel(
        [=] {
          STEP(1) {
            leave();
            USE(x);
          }
          STEP(3) USE(x);
        },
        [] {
          STEP(2) x = 1;
        });
  };
  if (called_with(argc, argv, "return"))
    reads_after(by_return);
  if (called_with(argc, argv, "break"))
    reads_after(by_break);
  if (called_with(argc, argv, "goto"))
    reads_after(by_goto);
  if (called_with(argc, argv, "continue"))
    reads_after(by_continue);
  if (called_with(argc, argv, "inside")) {
    atsan::atomic_region region("main"); // CHECK: region 'main'
    std::thread writer([] {
      STEP(2) x = 1;
    });
    STEP(1) USE(x);
    // CHECK: SUMMARY: {{.*}}raii.cpp:[[#@LINE+1]]:{{[0-9]+}} in main
    STEP(3) USE(x);
    writer.join();
  }
}
