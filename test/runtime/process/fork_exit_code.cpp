// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what a parent found before is not the fault of a child that it forks:
// the child ends with its own exit code, and with that of findings if it has
// some, by exit and by _exit, also if the parent had found the same.
// RUN: for how in exit _exit; do env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t $how 2>&1 | FileCheck %s || exit 1; done
// RUN: for how in exit _exit; do env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t $how bad 2>&1 | FileCheck --check-prefix=BAD %s || exit 1; done
// RUN: for how in exit _exit; do env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t $how same 2>&1 | FileCheck --check-prefix=BAD %s || exit 1; done
// CHECK: the child's exit code is 0
// BAD: the child's exit code is 66
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/wait.h>

int x, y;

static void violate(int steps_before) {
  in_parallel(
      [=] {
        atsan::atomic_region region("of the parent");
        STEP(steps_before + 1) USE(x);
        STEP(steps_before + 3) USE(x);
      },
      [=] {
        STEP(steps_before + 2) x = 1;
      });
}

int main(int argc, char **argv) {
  violate(0);
  if (!fork()) {
    if (called_with(argc, argv, "same"))
      violate(3);
    else if (called_with(argc, argv, "bad"))
      in_parallel(
          [] {
            atsan::atomic_region region("of the child");
            STEP(4) USE(y);
            STEP(6) USE(y);
          },
          [] {
            STEP(5) y = 1;
          });
    called_with(argc, argv, "_exit") ? _exit(0) : exit(0);
  }
  int status = 0;
  wait(&status);
  fprintf(stderr, "the child's exit code is %d\n", WEXITSTATUS(status));
}
