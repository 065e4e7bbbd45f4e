// RUN: for o in 0 1 2; do %clangxx_atsan -O$o -g -I%inputs %s -o %t.$o || exit 1; done
// Intent: variables of a frame that is realigned have names, with the offset
// within them, as those of other frames: the over-aligned ones, those beside
// them, and those beside memory of a variable size; of a frame that waits, of
// the frame that reports, and of one within a region.
// RUN: for o in 0 1 2; do for how in waits reports within; do %exits 66 %t.$o $how 2>&1 | FileCheck -DHOW=$how %s || exit 1; done || exit 1; done
// RUN: for o in 0 1 2; do %exits 66 %t.$o beside 2>&1 | FileCheck --check-prefix=BESIDE %s || exit 1; done
// RUN: for o in 0 1 2; do %exits 66 %t.$o dynamic 2>&1 | FileCheck --check-prefix=DYNAMIC %s || exit 1; done
// CHECK: (variable 'over_aligned' on the stack of {{the main thread|T1}})
// CHECK: is 12 bytes inside variable 'over_aligned' on the stack of {{the main thread|T1}}, in the frame of '[[HOW]]', declared at {{.*}}over_aligned.cpp:[[#]].
// BESIDE: is the beginning of variable 'small' on the stack of the main thread, in the frame of 'beside', declared at {{.*}}over_aligned.cpp:[[#]].
// DYNAMIC: is 12 bytes inside variable 'over_aligned' on the stack of the main thread, in the frame of 'dynamic', declared at {{.*}}over_aligned.cpp:[[#]].
//
// What a frame left there is not believed: a function without a record, at the
// same place.
// RUN: for o in 0 1 2; do %exits 66 %t.$o stale 2>&1 | FileCheck --check-prefix=STALE %s || exit 1; done
// STALE-NOT: over_aligned'
// STALE: SUMMARY
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <alloca.h>

#define FRAME extern "C" __attribute__((noinline)) void

// Two threads; their steps follow `step`. The frames of the main thread are
// known once it waits for them.
static void tear(int *at, int step = 0) {
  in_parallel(
      [=] {
        atsan::atomic_region region("r");
        STEP(step + 1) USE(*at);
        STEP(step + 4) USE(*at);
      },
      [=] {
        STEP(step + 2) *at = 1;
        await_main_asleep();
        step_end(step + 3);
      });
}

FRAME waits() {
  alignas(64) int over_aligned[20] = {};
  tear(&over_aligned[3]);
}

FRAME beside() {
  alignas(64) int over_aligned[20] = {};
  int small = 0;
  share(over_aligned);
  tear(&small);
}

FRAME dynamic(int size) {
  alignas(128) int over_aligned[20] = {};
  share(alloca(size));
  tear(&over_aligned[3]);
}

FRAME reports() {
  alignas(64) int over_aligned[20] = {};
  std::thread other([&] {
    STEP(2) over_aligned[3] = 1;
  });
  {
    atsan::atomic_region region("r");
    STEP(1) USE(over_aligned[3]);
    STEP(3) USE(over_aligned[3]);
  }
  other.join();
}

// The thread runs on, inside a region.
FRAME within() {
  alignas(64) int over_aligned[20] = {};
  atsan::atomic_region region("r");
  share(&over_aligned[3]);
  step_begin(1);
  step_end(1);
  step_begin(6);
}

ATSAN_NO_SANITIZE FRAME deep(int *at) { tear(at); }

FRAME leaves() {
  alignas(64) int over_aligned[200] = {};
  share(over_aligned);
}

// Of memory that it does not fill, and that has no name.
ATSAN_NO_SANITIZE FRAME stale(int size) {
  deep(static_cast<int *>(alloca(size)) + 250);
}

int main(int argc, char **argv) {
  const auto is = [=](const char *word) {
    return called_with(argc, argv, word);
  };
  if (is("waits"))
    waits();
  if (is("beside"))
    beside();
  if (is("dynamic"))
    dynamic(argc * 100);
  if (is("reports"))
    reports();
  if (is("within"))
    in_parallel(within, [] {
      step_begin(2);
      tear(static_cast<int *>(shared()), 1);
    });
  if (is("stale")) {
    leaves();
    stale(1600 * argc / 2);
  }
}
