// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: code that runs rarely calls its hooks without a test of the gate.
// What it accesses is observed all the same, inside regions and outside, and
// is no conflict where there is none.
// RUN: for i in cleanup fails small in_main; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; \
// RUN: done
// RUN: %silent %t closed
//
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'owner'
// CHECK: SUMMARY: {{.*}}rare_code.cpp:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

static int x;
static bool good;

// Another thread comes in between.
static void come_between() {
  STEP(2) {
    if (good)
      USE(x);
    else
      x = 2;
  }
}

struct ReadsAtLast {
  ~ReadsAtLast() {
    STEP(3) USE(x);
  }
};

__attribute__((noinline)) static void throws() { throw 1; }

static void cleanup() {
  atsan::atomic_region region("owner");
  STEP(1) USE(x);
  ReadsAtLast last;
  throws();
}

[[noreturn]] __attribute__((noinline, cold)) static void fail() { throw 1; }

__attribute__((noinline)) static void fails(bool now) {
  atsan::atomic_region region("owner");
  STEP(1) USE(x);
  if (now) {
    STEP(3) USE(x);
    fail();
  }
}

__attribute__((minsize, noinline)) static void small() {
  atsan::atomic_region region("owner");
  STEP(1) USE(x);
  STEP(3) USE(x);
}

// Nobody is in a region.
__attribute__((minsize, noinline)) static void closed() {
  STEP(1) USE(x);
  STEP(3) USE(x);
}

template <class F> static void run(F f) {
  in_parallel(
      [=] {
        try {
          f();
        } catch (int) {
        }
      },
      come_between);
}

int main(int argc, char **argv) {
  good = called_with(argc, argv, "good");
  if (called_with(argc, argv, "cleanup"))
    run(cleanup);
  if (called_with(argc, argv, "fails"))
    run([=] { fails(argc > 1); });
  if (called_with(argc, argv, "small"))
    run(small);
  if (called_with(argc, argv, "closed"))
    run(closed);
  if (called_with(argc, argv, "in_main")) {
    std::thread other(come_between);
    {
      atsan::atomic_region region("owner");
      STEP(1) USE(x);
      STEP(3) USE(x);
    }
    other.join();
  }
}
