// RUN: %clang_atsan -O0 -I%inputs %s -o %t.0 -lpthread
// RUN: %clang_atsan -O2 -I%inputs %s -o %t.2 -lpthread
// Intent: code that switches between stacks by _longjmp, and tells nobody, is
// one thread of execution: a switch leaves no frames, so regions stay open, on
// the first stack and on another one (violations; twins that write nothing). A
// jump on the other stack ends what it leaves there, and nothing else.
//
// RUN: for t in %t.0 %t.2; do for where in thread main; do \
// RUN:   for how in here there; do \
// RUN:     %exits 66 $t $where $how 2>&1 | FileCheck %s || exit 1; \
// RUN:     %silent $t $where $how twin || exit 1; \
// RUN:   done; \
// RUN:   %silent $t $where leave || exit 1; \
// RUN:   %exits 66 $t $where leave outside 2>&1 | FileCheck %s || exit 1; \
// RUN: done; done
// CHECK: region 'outside'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { kStack = 1 << 18 };

static int x;
static jmp_buf home, there, in_there;
static ucontext_t start;
static char *memory;
static const char *how;
static int writes, is_outside, has_started;
static int (*volatile what_to_do)(void);

// Returns when the other side has switched back.
__attribute__((noinline)) static void go_there(void) {
  if (_setjmp(home))
    return;
  if (has_started)
    _longjmp(there, 1);
  has_started = 1;
  setcontext(&start);
}

__attribute__((noinline)) static void go_home(void) {
  if (!_setjmp(there))
    _longjmp(home, 1);
}

static void run_there(void) {
  for (;;) {
    if (what_to_do)
      what_to_do();
    go_home();
  }
}

static int begin(void) {
  __atsan_region_begin("outside");
  return 0;
}

static int end(void) {
  __atsan_region_end();
  return 0;
}

__attribute__((noinline)) static void leave(int depth) {
  __atsan_region_begin("inside");
  if (depth)
    leave(depth - 1);
  _longjmp(in_there, 1);
}

static int begin_and_leave(void) {
  if (!_setjmp(in_there))
    leave(3);
  return 0;
}

static void do_there(int (*function)(void)) {
  what_to_do = function;
  go_there();
  what_to_do = NULL;
}

static void *victim(void *unused) {
  (void)unused;
  getcontext(&start);
  start.uc_stack.ss_sp = memory + 2 * kStack;
  start.uc_stack.ss_size = kStack;
  makecontext(&start, run_there, 0);
  go_there();
  if (!strcmp(how, "here") || is_outside)
    begin();
  if (!strcmp(how, "there"))
    do_there(begin);
  if (!strcmp(how, "leave"))
    do_there(begin_and_leave);
  STEP(1) USE(x);
  go_there();
  STEP(3) {
    go_there();
    USE(x);
  }
  if (!strcmp(how, "there"))
    do_there(end);
  if (!strcmp(how, "here") || is_outside)
    end();
  return NULL;
}

static void *writer(void *unused) {
  (void)unused;
  STEP(2) {
    if (writes)
      x = 1;
  }
  return NULL;
}

// Both stacks are in one mapping, and the thread's own is the lower one; or the
// first thread runs the victim, whose own stack is above all others.
int main(int argc, char **argv) {
  const int in_main = !strcmp(argv[1], "main");
  pthread_attr_t attr;
  pthread_t a, b;
  how = argv[2];
  writes = argc < 4 || strcmp(argv[3], "twin");
  is_outside = argc > 3 && !strcmp(argv[3], "outside");
  memory = mmap(NULL, 3 * kStack, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&b, NULL, writer, NULL);
  if (in_main) {
    victim(NULL);
  } else {
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, memory, kStack);
    pthread_create(&a, &attr, victim, NULL);
    pthread_join(a, NULL);
  }
  pthread_join(b, NULL);
  return 0;
}
