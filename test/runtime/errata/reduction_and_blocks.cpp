// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the examples of paper-errata.md for reduction, blocks and prediction,
// as runs: what is decided is conflict-serializability of the run that
// happened. So a run that is only view-serializable is a violation, and one
// that could have gone wrong is none.
//
// RUN: %exits 66 %t view-equivalent 2>&1 | FileCheck %s
// RUN: %silent %t view-equivalent good
// RUN: %exits 66 %t blind-write 2>&1 | FileCheck %s
// RUN: %silent %t blind-write good
// RUN: %exits 66 %t lemma-5 2>&1 | FileCheck %s
// RUN: %silent %t lemma-5 good
// RUN: %silent %t lemma-6
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

std::mutex lock;
int x, y, z;

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

static void locked_write() {
  std::lock_guard<std::mutex> guard(lock);
  x = 1;
}

// t:[acq l; w x; rel l; acq l; w x; rel l] t':[acq l; w x; r x; rel l].
static void view_equivalent(bool good) {
  in_parallel(
      [=] {
        atsan::atomic_region region("t");
        STEP(1) locked_write();
        STEP(good ? 2 : 3) locked_write();
      },
      [=] {
        step_begin(good ? 3 : 2);
        {
          atsan::atomic_region region("t'");
          std::lock_guard<std::mutex> guard(lock);
          x = 2;
          USE(x);
        }
        step_end(good ? 3 : 2);
      });
}

// t1:[r x; w x] || t2:[w x], join, then t3:[w x].
static void blind_write(bool good) {
  in_parallel(
      [=] {
        atsan::atomic_region region("t1");
        STEP(1) USE(x);
        STEP(good ? 2 : 3) x = 1;
      },
      [=] {
        STEP(good ? 3 : 2) {
          atsan::atomic_region region("t2");
          x = 2;
        }
      });
  in_parallel([] {
    atsan::atomic_region region("t3");
    x = 3;
  });
}

// T0:[r z; r y] T1:[w z][r y] T2:[w y][w z], in a violating order:
// r0(z) w1(z) r1(y) w2(y) r0(y): 0 -> 1 -> 2 -> 0.
static void lemma_5(bool good) {
  in_parallel(
      [=] {
        atsan::atomic_region region("T0");
        STEP(1) USE(z);
        STEP(good ? 4 : 5) USE(y);
      },
      [] {
        STEP(2) {
          atsan::atomic_region region("T1, first");
          z = 1;
        }
        STEP(3) {
          atsan::atomic_region region("T1, second");
          USE(y);
        }
      },
      [=] {
        STEP(good ? 5 : 4) {
          atsan::atomic_region region("T2, first");
          y = 1;
        }
        STEP(6) {
          atsan::atomic_region region("T2, second");
          z = 2;
        }
      });
}

// T1:[r x][w x] T2:[w x] has no violation, in no order.
static void lemma_6() {
  in_parallel(
      [] {
        STEP(1) {
          atsan::atomic_region region("T1, first");
          USE(x);
        }
        STEP(3) {
          atsan::atomic_region region("T1, second");
          x = 1;
        }
      },
      [] {
        STEP(2) {
          atsan::atomic_region region("T2");
          x = 2;
        }
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  if (is("view-equivalent"))
    view_equivalent(good);
  if (is("blind-write"))
    blind_write(good);
  if (is("lemma-5"))
    lemma_5(good);
  if (is("lemma-6"))
    lemma_6();
}
