// RUN: for o in 0 2; do %clangxx_atsan -O$o -I%inputs %s -o %t.$o || exit 1; done
// Intent: variables of scopes that exclude each other may have one place on the
// stack: a report does not call one by the name of another, and calls those by
// name that have a place of their own. Of what is initialized, debug
// information may know the place by parts of the code only.
// RUN: for o in 0 2; do for which in "" other "set it"; do %exits 66 %t.$o $which 2>&1 | FileCheck --implicit-check-not="variable 'unrelated'" %s || exit 1; done; done
// CHECK: Region 'reader' of T1 is not atomic
// CHECK: {{(variable '(shared|other)' on the )?stack of the main thread}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

struct Pair {
  volatile long first, rest[31];
};
struct Unrelated {
  volatile long first, rest[99];
};

static void conflict(Pair &pair) {
  in_parallel(
      [&] {
        atsan::atomic_region region("reader");
        STEP(1) pair.first;
        STEP(3) pair.first;
      },
      [&] {
        STEP(2) pair.first = 1;
      });
}

__attribute__((noinline)) static void use(Unrelated &u) { u.rest[7]++; }

int main(int argc, char **argv) {
  if (argc > 3) {
    Unrelated unrelated;
    use(unrelated);
  } else if (argc > 2) {
    Pair shared = {};
    conflict(shared);
  } else if (argc > 1) {
    Pair other;
    conflict(other);
  } else {
    Pair shared;
    conflict(shared);
  }
}
