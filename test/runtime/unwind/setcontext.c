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
#include "left_region.h"

#include <signal.h>
#include <ucontext.h>

static ucontext_t target, left;
static volatile int is_back;

static int (*volatile fill)(ucontext_t *) = getcontext;

// OPEN: region 'outside'
// OPEN: SUMMARY: {{.*}}left_region.h:
// LATER: region 'next'
// LATER: SUMMARY: {{.*}}left_region.h:

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

static void leave_region(void) {
  if (!strcmp(how, "handler"))
    raise_signal();
  else
    jump_away();
}
