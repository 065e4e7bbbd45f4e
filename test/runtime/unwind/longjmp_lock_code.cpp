// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: accesses of annotated lock code do not count; a jump out of it ends
// that, and a jump within it does not.
// RUN: %exits 66 %t out bad 2>&1 | FileCheck %s
// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}longjmp_lock_code.cpp:[[# @LINE + 26]]
// RUN: %silent %t out
// RUN: %silent %t within bad
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <setjmp.h>

static int x, lock;
static jmp_buf target;

// Lock code that gives up.
static void take(bool out) {
  if (!out)
    __atsan_mutex_pre_lock(&lock, 0);
  if (setjmp(target))
    return;
  if (out)
    __atsan_mutex_pre_lock(&lock, 0);
  longjmp(target, 1);
}

static void use() { USE(x); }

int main(int argc, char **argv) {
  const bool bad = called_with(argc, argv, "bad");
  const bool out = called_with(argc, argv, "out");
  in_parallel(
      [=] {
        take(out);
        atsan::atomic_region region("user");
        STEP(1) use();
        STEP(3) use();
      },
      [=] {
        STEP(2) {
          if (bad)
            x = 1;
        }
      });
}
