// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: atomic and plain accesses of one variable conflict with each other,
// and an atomic read-modify-write is a read and a write.
// RUN: for i in plain-between atomic-between rmw-between; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

static int x;

// CHECK: region 'victim'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}mixed.cpp:

template <class Mine, class Theirs>
static void run(bool good, Mine mine, Theirs theirs) {
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) mine();
        STEP(good ? 2 : 3) mine();
      },
      [=] {
        STEP(good ? 3 : 2) theirs();
      });
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  bool good = is("good");
  auto load = [] { USE(__atomic_load_n(&x, __ATOMIC_RELAXED)); };
  if (is("plain-between"))
    run(good, load, [] { x = 1; });
  if (is("atomic-between"))
    run(
        good, [] { USE(x); },
        [] { __atomic_store_n(&x, 1, __ATOMIC_RELEASE); });
  if (is("rmw-between"))
    run(good, load, [] { __atomic_fetch_add(&x, 1, __ATOMIC_ACQ_REL); });
}
