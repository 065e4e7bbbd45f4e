// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: variables that follow each other in one place of a stack are
// different variables: an access of another thread to the first is no conflict
// with the second.
// RUN: %silent %t.0 reuse
// RUN: %silent %t.0 scopes
// RUN: %exits 66 %t.0 one 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %silent %t.2 reuse
// RUN: %silent %t.2 scopes
// RUN: %exits 66 %t.2 one 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

static void *places[3];

__attribute__((noinline)) static void frame(int life, bool use_again) {
  int variable = life;
  places[life] = &variable;
  share(&variable);
  if (life == 1)
    step_end(1);
  step_begin(3);
  // CHECK: ERROR: AtomicitySanitizer: atomicity violation
  // CHECK: region 'reader'
  // CHECK: stack of T1
  // CHECK: SUMMARY: {{.*}}stack_reuse.cpp:[[#@LINE+2]]:{{[0-9]+}} in frame
  if (use_again)
    USE(variable);
}

static void frames() {
  frame(1, false);
  frame(2, true);
  __asm__ volatile(""); // Else the second one is called from elsewhere.
}

// The same with the lifetimes of two variables of one function.
__attribute__((noinline)) static void scopes() {
  {
    int first[4] = {1, 2, 3, 4};
    share(first);
    step_end(1);
    step_begin(3);
  }
  {
    int second[4] = {1, 2, 3, 4};
    share(second);
    USE(second[0]);
  }
}

int main(int argc, char **argv) {
  auto region_in = [](void (*body)()) {
    in_parallel(
        [=] {
          atsan::atomic_region region("reader");
          body();
        },
        [] {
          STEP(2) *static_cast<int *>(shared()) = 7;
        });
  };
  if (called_with(argc, argv, "scopes"))
    region_in(scopes);
  if (called_with(argc, argv, "one"))
    region_in([] { frame(1, true); });
  if (called_with(argc, argv, "reuse")) {
    region_in(frames);
    if (places[1] != places[2])
      fprintf(stderr, "no reuse, nothing tested\n");
  }
}
