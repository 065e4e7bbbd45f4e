// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: thread start and join divide the region that they stand in; and both
// are edges of the graph, so that each alone completes a cycle when it does not
// divide.
// RUN: %silent %t both
// RUN: env ATSAN_OPTIONS=region_splits=start,join %silent %t both
// RUN: env ATSAN_OPTIONS=region_splits=none %exits 66 %t both 2>&1 | FileCheck %s
//
// Start -> child, child -> read of the region: only a division at the start
// helps.
// RUN: env ATSAN_OPTIONS=region_splits=start %silent %t start
// RUN: env ATSAN_OPTIONS=region_splits=join,barrier,wait %exits 66 %t start 2>&1 | FileCheck %s
//
// Read of the region -> child, child -> join: only a division at the join
// helps.
// RUN: env ATSAN_OPTIONS=region_splits=join %silent %t join
// RUN: env ATSAN_OPTIONS=region_splits=start,barrier,wait %exits 66 %t join 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'parent'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  if (is("both")) {
    atsan::atomic_region region("parent");
    std::thread child([] { x++; });
    child.join();
    x++;
  }
  if (is("start")) {
    std::thread child;
    {
      atsan::atomic_region region("parent");
      child = std::thread([] {
        STEP(1) x++;
      });
      STEP(2) USE(x);
    }
    child.join();
  }
  if (is("join")) {
    std::thread child([] {
      STEP(2) x++;
    });
    {
      atsan::atomic_region region("parent");
      STEP(1) USE(x);
      child.join();
    }
  }
}
