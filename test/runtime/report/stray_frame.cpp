// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t -lpthread
// Intent: what a walk over code without frame pointers took for a return
// address, but is none, is no frame of the stack in a report, and no question
// for the symbolizer.
// RUN: %exits 66 %t 2>&1 | FileCheck --implicit-check-not=[stack] --implicit-check-not='symbolizer' %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

static int x;

// CHECK: First: read of
// CHECK-NEXT: #0 twice()
// CHECK-NEXT: #1 call_from
// CHECK-NEXT: Later: write
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
static void twice() {
  __atsan_region_begin("twice");
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_region_end();
}

// Calls `f` with `frame` for its caller's frame.
extern "C" __attribute__((naked)) void call_from(void (*f)(), void **frame) {
  asm("push %rbp\n"
      "mov %rsi, %rbp\n"
      "call *%rdi\n"
      "pop %rbp\n"
      "ret");
}

static void *other(void *unused) {
  STEP(2) x = 1;
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, other, nullptr);
  void *frame[2];
  frame[0] = nullptr;
  frame[1] = frame;
  share(frame);
  call_from(twice, frame);
  pthread_join(thread, nullptr);
}
