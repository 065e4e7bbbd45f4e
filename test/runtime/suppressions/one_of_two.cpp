// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: the line that a report proposes suppresses this finding, and none of
// the others: neither one whose stacks pass through the same function, nor
// another one of the same region, nor one in which that region only interferes.
// RUN: for how in nested same_region other_region; do env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t $how > %t.$how 2>&1 || exit 1; grep -c 'To suppress it' %t.$how | grep -qx 2 || exit 1; done
//
// RUN: for how in nested same_region other_region; do for n in 1 2; do grep -A1 'To suppress it' %t.$how | grep : | grep -v FILE | sed -n ${n}p > %t.line; env ATSAN_OPTIONS="halt_on_error=0:suppressions='%t.line'" %exits 66 %t $how > %t.left 2>&1 || exit 1; grep -c 'To suppress it' %t.left | grep -qx 1 || exit 1; grep -q '^ *1 fingerprint:' %t.left || exit 1; done; done
//
// The twin: both lines suppress both.
// RUN: for how in nested same_region other_region; do grep -A1 'To suppress it' %t.$how | grep fingerprint: > %t.both; env ATSAN_OPTIONS="halt_on_error=0:suppressions='%t.both':print_suppressions=0" %silent %t $how || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y;

__attribute__((noinline)) static void read_in_callee() {
  __atomic_begin();
  STEP(4) USE(y);
  STEP(6) USE(y);
  __atomic_end();
}

// A region without a name, and one of a function that is called here.
__attribute__((noinline)) static void nested() {
  __atomic_begin();
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atomic_end();
  read_in_callee();
}

__attribute__((noinline)) static void same_region() {
  atsan::atomic_region region("both");
  STEP(1) USE(x);
  STEP(3) USE(x);
  STEP(4) USE(y);
  STEP(6) USE(y);
}

__attribute__((noinline)) static void other_region() {
  {
    atsan::atomic_region region("interferes");
    STEP(1) USE(x);
    STEP(3) USE(x);
  }
  STEP(5) {
    atsan::atomic_region region("interferes");
    y = 2;
  }
}

int main(int, char **argv) {
  bool other = !strcmp(argv[1], "other_region");
  in_parallel(
      [=] {
        if (other)
          other_region();
        else if (!strcmp(argv[1], "nested"))
          nested();
        else
          same_region();
      },
      [=] {
        STEP(2) x = 1;
        if (other) {
          atsan::atomic_region region("torn");
          STEP(4) USE(y);
          STEP(6) USE(y);
        } else {
          STEP(5) y = 1;
        }
      });
}
