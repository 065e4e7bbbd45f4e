// RUN: %clang_atsan -O1 -I%inputs %s -o %t -pthread
// Intent: a jump to another stack ends no region, also where both stacks are in
// one piece of memory, whichever is above: what a context was made for tells
// them apart. A jump within such a stack ends what it leaves (within), and
// nothing of others (beside).
// RUN: for by in contexts jumps recorded; do for order in up down; do %exits 66 %t $by $order 2>&1 | FileCheck %s || exit 1; done; done
// CHECK: Region 'A' of the main thread is not atomic
// RUN: for order in up down; do %silent %t within $order || exit 1; done
// RUN: for order in up down; do %exits 66 %t beside $order 2>&1 | FileCheck --check-prefix=BESIDE %s || exit 1; done
// BESIDE: Region 'B' of the main thread is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { kSize = 1 << 16 };

static ucontext_t main_context, a, b;
static jmp_buf in_a, in_b;
static const char *by;
int x;

static void *other(void *unused) {
  STEP(2) x = 7;
  return unused;
}

static void switch_to_b(void) {
  if (strcmp(by, "jumps"))
    swapcontext(&a, &b);
  else if (!_setjmp(in_a))
    _longjmp(in_b, 1);
}

static __attribute__((noinline)) void leave(jmp_buf to) {
  __atsan_region_begin("left");
  longjmp(to, 1);
}

// The frame that begins it is gone, and was below that of the setjmp.
static __attribute__((noinline)) void begin(const char *name) {
  __atsan_region_begin(name);
}

static void run_a(void) {
  if (!strcmp(by, "beside")) {
    jmp_buf here;
    if (!setjmp(here)) {
      switch_to_b();
      leave(here);
    }
    STEP(1) x = 1;
    STEP(3) x = 2;
  } else if (!strcmp(by, "recorded")) {
    // What was open at the setjmp stays open, whatever other stacks record.
    jmp_buf here;
    begin("A");
    if (!setjmp(here)) {
      switch_to_b();
      leave(here);
    }
    STEP(1) x = 1;
    STEP(3) x = 2;
  } else if (!strcmp(by, "within")) {
    jmp_buf here;
    if (!setjmp(here))
      leave(here);
    STEP(1) x = 1;
    switch_to_b();
    STEP(3) x = 2;
  } else {
    __atsan_region_begin("A");
    int seen;
    STEP(1) seen = x;
    switch_to_b();
    STEP(3) x = seen + 1;
    __atsan_region_end();
  }
  setcontext(&main_context);
}

static void run_b(void) {
  if (strcmp(by, "jumps")) {
    swapcontext(&b, &a);
    setjmp(in_b);
    if (!strcmp(by, "beside"))
      __atsan_region_begin("B");
    swapcontext(&b, &a);
  } else {
    if (!_setjmp(in_b))
      setcontext(&a);
    _longjmp(in_a, 1);
  }
}

static void make(ucontext_t *context, char *stack, void (*function)(void)) {
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = kSize;
  makecontext(context, function, 0);
}

int main(int argc, char **argv) {
  pthread_t thread;
  char *stacks = malloc(2 * kSize);
  const int is_up = argc > 2 && !strcmp(argv[2], "up");
  volatile int is_back = 0;
  by = argv[1];
  pthread_create(&thread, NULL, other, NULL);
  make(&a, stacks + (is_up ? 0 : kSize), run_a);
  make(&b, stacks + (is_up ? kSize : 0), run_b);
  getcontext(&main_context);
  if (!is_back) {
    is_back = 1;
    setcontext(&b);
  }
  pthread_join(thread, NULL);
  free(stacks);
}
