// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: an access that is to be ignored is, also where the same code has been
// recorded in this region before, so that its hook is quick.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t ignored
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

extern "C" {
void AnnotateIgnoreReadsBegin(const char *, int);
void AnnotateIgnoreReadsEnd(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
}

static void ignore(bool begins) {
  if (begins) {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  } else {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
}

constexpr int kCells = 5;
static long cells[kCells];

// CHECK: region 'victim'
int main(int argc, char **argv) {
  bool ignored = called_with(argc, argv, "ignored");
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        volatile int rounds = kCells;
        for (int i = 0; i < rounds; i++) {
          volatile bool ignores = ignored && i == kCells - 1;
          if (ignores)
            ignore(true);
          USE(cells[i]);
          if (ignores)
            ignore(false);
        }
        STEP(1) {
        }
        STEP(3) USE(cells[kCells - 1]);
      },
      [=] {
        STEP(2) cells[kCells - 1] = 1;
      });
}
