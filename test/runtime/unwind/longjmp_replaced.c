// RUN: %clang_atsan -O1 -I%inputs %s -o %t -pthread
// Intent: a jump ends what was begun since the setjmp, or the getcontext, also
// where it took the place of what was open then; what was open then, and still
// is, stays open, however many have ended meanwhile.
// RUN: for w in first second both context; do %silent %t $w || exit 1; done
// RUN: for w in first second both context; do %exits 66 %t $w bug 2>&1 | FileCheck %s || exit 1; done
// CHECK: Region 'outer' of the main thread is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline))

static jmp_buf target;
static ucontext_t context;
static volatile int jumped;
int x;
static int is_bug;

static void begin(const char *name) { __atsan_region_begin(name); }
static void end(void) { __atsan_region_end(); }

// Ends so many regions, begins others, and jumps.
static NOINLINE void replace(int ended, int begun, int by_context) {
  for (int i = 0; i < ended; i++) end();
  for (int i = 0; i < begun; i++) begin("inner");
  jumped = 1;
  if (by_context)
    setcontext(&context);
  longjmp(target, 1);
}

// None is open after these, but in the buggy variants, which end one less.
static NOINLINE void first(int by_context) {
  begin("outer");
  if (by_context)
    getcontext(&context);
  else
    setjmp(target);
  if (!jumped)
    replace(!is_bug, 1, by_context);
}

static NOINLINE void second(void) {
  begin("outer");
  begin("next");
  setjmp(target);
  if (!jumped)
    replace(1, 1, 0);
  if (!is_bug)
    end();
}

static NOINLINE void both(void) {
  begin("outer");
  begin("next");
  setjmp(target);
  if (!jumped)
    replace(is_bug ? 1 : 2, 2, 0);
}

static void *other(void *unused) {
  STEP(2) x = 2;
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  is_bug = argc > 2;
  if (!strcmp(argv[1], "second"))
    second();
  else if (!strcmp(argv[1], "both"))
    both();
  else
    first(!strcmp(argv[1], "context"));
  STEP(1) x = 1;
  STEP(3) x = 3;
  if (is_bug)
    end();
  pthread_join(thread, NULL);
}
