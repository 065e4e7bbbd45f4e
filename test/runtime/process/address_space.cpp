// RUN: %clangxx_atsan -O1 -pie -fPIE -I%inputs %s -o %t.pie
// Intent: programs run wherever the system puts them: with full address space
// layout randomization, without, position-independent or not, with an unlimited
// stack, and in a moderate address space.
// RUN: %clangxx_atsan -O1 -no-pie -fno-PIE -I%inputs %s -o %t.no_pie
//
// RUN: for t in %t.pie %t.no_pie; do \
// RUN:   for i in 1 2 3 4 5 6 7 8; do \
// RUN:     %exits 66 $t 2>&1 | FileCheck %s || exit 1; \
// RUN:     %silent $t good || exit 1; done; \
// RUN:   %exits 66 setarch -R $t 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent setarch -R $t good || exit 1; \
// RUN:   (ulimit -s unlimited && %silent $t good) || exit 1; \
// RUN:   (ulimit -v 1000000 && %silent $t good) || exit 1; \
// RUN:   (ulimit -v 1000000 && %exits 66 $t 2>&1 | FileCheck %s) || exit 1; \
// RUN: done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int on_data_segment;

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  int on_stack = 0;
  int *on_heap = new int(0);
  int *all[] = {&on_data_segment, &on_stack, on_heap};
  auto use_all = [&] {
    for (int *variable : all) USE(*variable);
  };
  in_parallel(
      [=] {
        atsan::atomic_region region("reader"); // CHECK: region 'reader'
        STEP(1) use_all();
        STEP(3) use_all();
        // CHECK: SUMMARY: {{.*}}address_space.cpp:
      },
      [=] {
        STEP(2) {
          if (!good)
            *on_heap = 1;
        }
      });
  delete on_heap;
}
