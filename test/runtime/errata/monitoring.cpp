// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the traces with which paper-errata.md shows where CAV'08 is wrong or
// silent, as real programs; each beside one that differs in one access and is
// serializable.
//
// RUN: for i in read-only open-for-ever recycled start join program-order; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y, unrelated;

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

// t3:[r x; r y] t4:[r x; r y], unary w1(x), w2(y):
// r4(x) w1(x) r3(x) r3(y) w2(y) r4(y): 1 -> 3 -> 2 -> 4 -> 1.
static void two_readers(bool good) {
  auto reader = [](int read_x, int read_y) {
    atsan::atomic_region region("reader");
    STEP(read_x) USE(x);
    STEP(read_y) USE(y);
  };
  in_parallel(
      [] {
        STEP(2) x = 1;
      },
      [] {
        STEP(5) y = 1;
      },
      [=] { good ? reader(4, 6) : reader(3, 4); },
      [=] {
        if (good) {
          atsan::atomic_region region("reader");
          STEP(1) USE(x);
          STEP(3) {
          }
          STEP(7) USE(y);
        } else {
          reader(1, 6);
        }
      });
}

// Theorem 1 wants every thread to end: here the cycle must be found although
// none of its threads comes to an end.
static void open_for_ever(bool good) {
  auto never_ends = [=](int first, int second, int *written, int *read) {
    __atsan_region_begin("never ends");
    STEP(first) *written = 1;
    STEP(second) USE(*read);
    if (!good)
      for (;;) sched_yield();
    __atsan_region_end();
  };
  in_parallel([=] { never_ends(1, 4, &x, good ? &unrelated : &y); },
              [=] { never_ends(2, 3, &y, &x); });
}

// Rule 5: the thread that ends is followed by a new one that gets its
// identifier. They are ordered only if the parent joins the one before it
// starts the other.
static void recycled(bool good) {
  std::thread open([] {
    atsan::atomic_region region("open");
    STEP(1) USE(x);
    STEP(4) USE(y);
  });
  step_begin(2);
  std::thread first([] { x = 1; });
  if (!good)
    first.join();
  std::thread second([] {
    STEP(3) y = 1;
  });
  if (good)
    first.join();
  step_end(2);
  second.join();
  open.join();
}

// No fork edges are defined: parent [.. start child .. r x], child w x.
static void start(bool good) {
  std::thread other([=] {
    atsan::atomic_region region("other");
    STEP(1) USE(x);
    STEP(3) USE(y);
  });
  STEP(2) {
    // Main writes x, then starts a thread that writes y.
    if (!good)
      x = 1;
    std::thread child([] { y = 1; });
    child.join();
  }
  other.join();
}

// The child writes x, main writes y after it has joined the child.
static void join(bool good) {
  std::thread other([=] {
    atsan::atomic_region region("other");
    STEP(1) USE(x);
    STEP(4) USE(y);
  });
  std::thread child([] {
    STEP(2) x = 1;
  });
  step_begin(3);
  if (!good)
    child.join();
  y = 1;
  step_end(3);
  if (good)
    child.join();
  other.join();
}

// T1 begin; T1 w(x); T2 r(x); T2 begin; T2 w(y); T2 end; T1 r(y).
static void program_order(bool good) {
  in_parallel(
      [=] {
        atsan::atomic_region region("one");
        STEP(1) x = 1;
        STEP(4) USE(y);
      },
      [=] {
        STEP(2) USE(*either(good, &unrelated, &x));
        STEP(3) {
          atsan::atomic_region region("two");
          y = 1;
        }
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  if (is("read-only"))
    two_readers(good);
  if (is("open-for-ever"))
    open_for_ever(good);
  if (is("recycled"))
    recycled(good);
  if (is("start"))
    start(good);
  if (is("join"))
    join(good);
  if (is("program-order"))
    program_order(good);
}
