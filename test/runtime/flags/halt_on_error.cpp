// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the first finding ends the program by default. With halt_on_error=0
// the program goes on to its end, with errno as it was, each place is reported
// once, and the exit code says that something was found, whatever ends it.
// RUN: %exits 66 %t 2>&1 | FileCheck --check-prefix=HALT --implicit-check-not='the end' %s
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t > %t.log 2>&1
// RUN: FileCheck --check-prefix=ALL %s < %t.log
// RUN: grep -c SUMMARY: %t.log | FileCheck --check-prefix=COUNT %s
// RUN: env ATSAN_OPTIONS=halt_on_error=0:exitcode=0 %exits 0 %t 2>&1 | FileCheck --check-prefix=ALL %s
// RUN: env ATSAN_OPTIONS=halt_on_error=0:exitcode=42 %exits 42 %t 2>&1 | FileCheck --check-prefix=ALL %s
// RUN: env ATSAN_OPTIONS=exitcode=7 %exits 7 %t 2>&1 | FileCheck --check-prefix=HALT %s
// RUN: for i in _exit _Exit quick_exit; do \
// RUN:   env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t $i > %t.log 2>&1 || exit 1; \
// RUN:   FileCheck --check-prefix=ALL %s < %t.log || exit 1; done
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <cerrno>

int first, second, third;

static void read_twice(int *variable, int step) {
  atsan::atomic_region region("reader");
  STEP(step) USE(*variable);
  STEP(step + 2) {
    errno = EDOM;
    USE(*variable);
    if (errno != EDOM)
      _Exit(3);
  }
}

static void read_again(int *variable, int step) {
  atsan::atomic_region region("another reader");
  STEP(step) USE(*variable);
  STEP(step + 2) USE(*variable);
}

// HALT: region 'reader'
// HALT: SUMMARY: {{.*}} in read_twice
// HALT-NOT: SUMMARY:
//
// The same region and place a second time is no news.
// ALL: region 'reader'
// ALL: SUMMARY: {{.*}} in read_twice
// ALL: region 'another reader'
// ALL: SUMMARY: {{.*}} in read_again
// ALL: the end
// COUNT: 2

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel(
      [] {
        read_twice(&first, 1);
        read_twice(&first, 4);
        read_twice(&second, 7);
        read_again(&third, 10);
      },
      [=] {
        int *all[] = {&first, &first, &second, &third};
        for (int i = 0; i < 4; i++)
          STEP(2 + 3 * i) {
            if (!good)
              *all[i] = i + 1;
          }
      });
  if (!good)
    fprintf(stderr, "the end\n");
  if (called_with(argc, argv, "_exit"))
    _exit(0);
  if (called_with(argc, argv, "_Exit"))
    _Exit(0);
  if (called_with(argc, argv, "quick_exit"))
    quick_exit(0);
}
