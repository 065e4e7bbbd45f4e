// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: variables that follow each other in one place of a stack are
// different variables: an access of another thread to the first is no conflict
// with the second.
// RUN: %silent %t.0 reuse
// RUN: %silent %t.0 scopes
// RUN: %silent %t.0 reuse_of_8
// RUN: %silent %t.0 reuse_of_16
// RUN: %silent %t.0 reuse_of_32
// RUN: %silent %t.0 reuse_of_40
// RUN: %exits 66 %t.0 one 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %silent %t.2 reuse
// RUN: %silent %t.2 scopes
// RUN: %silent %t.2 reuse_of_8
// RUN: %silent %t.2 reuse_of_16
// RUN: %silent %t.2 reuse_of_32
// RUN: %silent %t.2 reuse_of_40
// RUN: %exits 66 %t.2 one 2>&1 | FileCheck %s
// RUN: %exits 66 %t.2 one_of_8 2>&1 | FileCheck %s --check-prefix=SIZED
// RUN: %exits 66 %t.2 one_of_16 2>&1 | FileCheck %s --check-prefix=SIZED
// RUN: %exits 66 %t.2 one_of_32 2>&1 | FileCheck %s --check-prefix=SIZED
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

// The same with the end of objects of those sizes that have hooks of their own,
// and of another one.
template <unsigned kSize>
__attribute__((noinline)) static void sized_frame(int life, bool use_again) {
  struct {
    int numbers[kSize / sizeof(int)];
  } variable = {};
  int &last = variable.numbers[kSize / sizeof(int) - 1];
  places[life] = &variable;
  share(&last);
  if (life == 1)
    step_end(1);
  step_begin(3);
  // SIZED: SUMMARY: {{.*}}stack_reuse.cpp:[[#@LINE+2]]:{{[0-9]+}} in {{.*}}sized_frame
  if (use_again)
    USE(last);
}

template <unsigned kSize> static void sized_frames() {
  sized_frame<kSize>(1, false);
  sized_frame<kSize>(2, true);
  __asm__ volatile("");
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
  if (called_with(argc, argv, "one_of_8"))
    region_in([] { sized_frame<8>(1, true); });
  if (called_with(argc, argv, "one_of_16"))
    region_in([] { sized_frame<16>(1, true); });
  if (called_with(argc, argv, "one_of_32"))
    region_in([] { sized_frame<32>(1, true); });
  auto reuse_in = [&](void (*body)()) {
    region_in(body);
    if (places[1] != places[2])
      fprintf(stderr, "no reuse, nothing tested\n");
  };
  if (called_with(argc, argv, "reuse"))
    reuse_in(frames);
  if (called_with(argc, argv, "reuse_of_8"))
    reuse_in(sized_frames<8>);
  if (called_with(argc, argv, "reuse_of_16"))
    reuse_in(sized_frames<16>);
  if (called_with(argc, argv, "reuse_of_32"))
    reuse_in(sized_frames<32>);
  if (called_with(argc, argv, "reuse_of_40"))
    reuse_in(sized_frames<40>);
}
