// RUN: %clang_atsan -O0 -I%inputs %s -o %t.0 -lpthread
// Intent: setcontext and swapcontext end the regions that were begun in the
// frames that they leave, as longjmp does, and no others: what follows is
// outside (clean), a region that is still open goes on, and the next one is
// found (violations); also if nobody saw who filled the context, and if it is a
// signal handler that goes on where it came from.
// RUN: %clang_atsan -O2 -I%inputs %s -o %t.2 -lpthread
//
// RUN: for t in %t.0 %t.2; do for i in setcontext swapcontext unseen; do \
// RUN:   %silent $t $i || exit 1; \
// RUN:   %exits 66 $t $i open 2>&1 | FileCheck --check-prefix=OPEN %s || exit 1; \
// RUN:   %exits 66 $t $i later 2>&1 | FileCheck --check-prefix=LATER %s || exit 1; \
// RUN: done; \
// RUN: %silent $t handler || exit 1; \
// RUN: %exits 66 $t handler open 2>&1 | FileCheck --check-prefix=OPEN %s || exit 1; \
// RUN: done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

static int x;
static ucontext_t target, left;
static const char *how;
static int open_outside, later;
static volatile int is_back;

static int (*volatile fill)(ucontext_t *) = getcontext;

// OPEN: region 'outside'
// OPEN: SUMMARY: {{.*}}setcontext.c:
// LATER: region 'next'
// LATER: SUMMARY: {{.*}}setcontext.c:

__attribute__((noinline)) static void jump(int depth) {
  __atsan_region_begin("inside");
  USE(x);
  if (depth)
    jump(depth - 1);
  is_back = 1;
  if (!strcmp(how, "swapcontext"))
    swapcontext(&left, &target);
  else
    setcontext(&target);
  abort();
}

__attribute__((noinline)) static void jump_away(void) {
  if (!strcmp(how, "unseen"))
    fill(&target);
  else
    getcontext(&target);
  if (!is_back)
    jump(3);
}

static void handle(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  __atsan_region_begin("inside");
  setcontext(context);
}

static void raise_signal(void) {
  struct sigaction action = {0};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}

static void *victim(void *arg) {
  (void)arg;
  if (open_outside)
    __atsan_region_begin("outside");
  STEP(1) {
    if (!strcmp(how, "handler"))
      raise_signal();
    else
      jump_away();
    USE(x);
  }
  STEP(3) USE(x);
  if (open_outside)
    __atsan_region_end();
  __atsan_region_begin("next");
  STEP(4) USE(x);
  STEP(6) USE(x);
  __atsan_region_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) x = 1;
  STEP(5) {
    if (later)
      x = 2;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  how = argv[1];
  open_outside = argc > 2 && !strcmp(argv[2], "open");
  later = argc > 2 && !strcmp(argv[2], "later");
  pthread_create(&a, NULL, victim, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
