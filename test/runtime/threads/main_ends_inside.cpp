// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the program may end inside regions, by return from main, exit, _exit
// and quick_exit, with its own exit code; unless something was found.
// RUN: %exits 3 %t return 2>&1 | FileCheck --allow-empty --check-prefix=CLEAN %s
// RUN: %exits 3 %t exit 2>&1 | FileCheck --allow-empty --check-prefix=CLEAN %s
// RUN: %exits 3 %t _exit 2>&1 | FileCheck --allow-empty --check-prefix=CLEAN %s
// RUN: %exits 3 %t quick_exit 2>&1 | FileCheck --allow-empty --check-prefix=CLEAN %s
// CLEAN-NOT: {{.}}
// RUN: for i in return exit _exit quick_exit; do \
// RUN:   env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t $i bad 2>&1 | FileCheck %s || exit 1; \
// RUN: done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <unistd.h>

int x;

// CHECK: region 'reader'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  atsan::atomic_region region("main");
  if (is("bad"))
    in_parallel(
        [] {
          atsan::atomic_region region("reader");
          STEP(1) USE(x);
          STEP(3) USE(x);
        },
        [] {
          STEP(2) x = 1;
        });
  if (is("exit"))
    exit(3);
  if (is("_exit"))
    _exit(3);
  if (is("quick_exit"))
    quick_exit(3);
  return 3;
}
