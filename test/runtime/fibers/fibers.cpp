// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a fiber is a thread of its own: its region stays open while another
// fiber of the same thread runs, and a conflicting access of that one in
// between is a violation. The threads that run a fiber may change.
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// RUN: %silent %t
// RUN: %exits 66 %t bad migrate 2>&1 | FileCheck %s
// RUN: %silent %t migrate
// RUN: %silent %t unannotated bad
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <ucontext.h>

static ucontext_t scheduler, contexts[2];
static void *scheduler_fiber, *fibers[2];
static char stacks[2][1 << 16];
static bool annotated;
int x, unrelated;

static void enter(int i) {
  if (annotated) {
    scheduler_fiber = __atsan_get_current_fiber();
    __atsan_switch_to_fiber(fibers[i], 0);
  }
  swapcontext(&scheduler, &contexts[i]);
}

static void leave(int i) {
  if (annotated)
    __atsan_switch_to_fiber(scheduler_fiber, 0);
  swapcontext(&contexts[i], &scheduler);
}

// CHECK: atomicity violation
// CHECK: region 'reader'
// CHECK: #0 reader() {{.*}}fibers.cpp
// CHECK: SUMMARY: {{.*}}fibers.cpp:[[# @LINE + 5]]{{.*}} in reader()
static void reader() {
  __atsan_region_begin("reader");
  USE(x);
  leave(0);
  USE(x);
  __atsan_region_end();
  leave(0);
}

static int *target;

static void writer() {
  *target = 1;
  leave(1);
}

static void make(int i, void (*function)()) {
  getcontext(&contexts[i]);
  contexts[i].uc_stack.ss_sp = stacks[i];
  contexts[i].uc_stack.ss_size = sizeof(stacks[i]);
  makecontext(&contexts[i], function, 0);
  if (annotated)
    fibers[i] = __atsan_create_fiber(0);
}

int main(int argc, char **argv) {
  annotated = !called_with(argc, argv, "unannotated");
  target = either(called_with(argc, argv, "bad"), &x, &unrelated);
  make(0, reader);
  make(1, writer);
  if (annotated)
    __atsan_set_fiber_name(fibers[0], "reader fiber");
  enter(0);
  enter(1);
  if (called_with(argc, argv, "migrate"))
    in_parallel([] { enter(0); });
  else
    enter(0);
  if (!annotated)
    return 0;
  for (void *fiber : fibers) __atsan_destroy_fiber(fiber);
}
