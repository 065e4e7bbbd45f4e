// RUN: %clang_atsan -O1 %s -o %t
// Intent: a switch between coroutines takes no longer if there are many: if
// each looks at all that are known, this takes longer than the limit.
// RUN: ulimit -t 20; %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>
#include <ucontext.h>

enum { kContexts = 40000, kRounds = 10, kStack = 16384 };

static ucontext_t caller, *contexts;
static long number, sum;

static void work(void) {
  for (;;) {
    const long self = number;
    sum += self;
    swapcontext(&contexts[self], &caller);
  }
}

int main(void) {
  contexts = calloc(kContexts, sizeof(*contexts));
  for (long i = 0; i < kContexts; i++) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = malloc(kStack);
    contexts[i].uc_stack.ss_size = kStack;
    makecontext(&contexts[i], work, 0);
  }
  for (int round = 0; round < kRounds; round++)
    for (number = 0; number < kContexts; number++)
      swapcontext(&caller, &contexts[number]);
  return sum != kRounds * ((long)kContexts * (kContexts - 1) / 2);
}
