// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what happens while no region is open can be on no cycle: not before
// the first region, not after the last, not between two. A region that overlaps
// it is.
// RUN: %silent %t before
// RUN: %silent %t between
// RUN: %silent %t after
// RUN: %exits 66 %t open 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y;

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  if (is("before"))
    in_parallel(
        [] {
          STEP(1) x = 1;
          atsan::atomic_region region("reader");
          STEP(3) USE(y);
          STEP(5) USE(y);
        },
        [] {
          STEP(2) {
            USE(x);
            y = 1;
          }
          STEP(4) USE(y);
        });
  if (is("between"))
    in_parallel(
        [] {
          STEP(1) {
            atsan::atomic_region region("first");
            USE(x);
          }
          STEP(3) {
            atsan::atomic_region region("second");
            USE(x);
          }
        },
        [] {
          STEP(2) x = 1;
        });
  if (is("after"))
    in_parallel(
        [] {
          STEP(1) {
            atsan::atomic_region region("only");
            USE(x);
          }
          STEP(3) USE(x);
        },
        [] {
          STEP(2) x = 1;
        });
  if (is("open"))
    in_parallel(
        [] {
          STEP(1) {
            atsan::atomic_region region("short");
            USE(x);
          }
          STEP(5) {
          }
        },
        // Keeps the gate open, and is what the cycle goes through.
        [] {
          atsan::atomic_region region("long"); // CHECK: region 'long'
          STEP(2) USE(x);
          // CHECK: SUMMARY: {{.*}}gate.cpp:[[#@LINE+1]]:
          STEP(4) USE(x);
        },
        [] {
          STEP(3) x = 1;
        });
}
