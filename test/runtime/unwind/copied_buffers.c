// RUN: for o in 0 2; do %clang_atsan -O$o -I%inputs %s -o %t.$o -pthread || exit 1; done
// Intent: programs copy jmp_buf and ucontext_t: a buffer that got back what an
// outer call had put there leads to that call (restored), and a copy where its
// original leads (copied, context). Regions begun since end, older ones do not,
// also where the frame is gone that began them.
// RUN: for t in %t.0 %t.2; do for how in restored copied sites context; do %silent $t $how || exit 1; done; done
// RUN: for t in %t.0 %t.2; do for how in restored copied sites context; do %exits 66 $t $how older 2>&1 | FileCheck %s || exit 1; done; done
// CHECK: atomicity violation
// CHECK: Region 'older' of the main thread is not atomic
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

static sigjmp_buf target, copy, unused;
static ucontext_t context, context_copy;
int x;

static void *other(void *unused) {
  STEP(2) x = 2;
  return unused;
}

static NOINLINE void begin(const char *name) { __atsan_region_begin(name); }

// As shells do around a part that may jump out itself.
static NOINLINE void call_and_restore(void) {
  sigjmp_buf saved;
  memcpy(saved, target, sizeof(saved));
  if (sigsetjmp(target, 0))
    return;
  memcpy(target, saved, sizeof(saved));
  siglongjmp(target, 1);
}

static NOINLINE void jump_by_copy(int by_context) {
  if (!by_context) {
    memcpy(copy, target, sizeof(copy));
    siglongjmp(copy, 1);
  }
  context_copy = context;
  context_copy.uc_mcontext.fpregs = &context_copy.__fpregs_mem;
  setcontext(&context_copy);
}

int main(int argc, char **argv) {
  const int by_context = !strcmp(argv[1], "context");
  volatile int is_back = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  if (argc > 2)
    begin("older");
  if (by_context)
    getcontext(&context);
  else
    is_back = sigsetjmp(target, 0);
  if (!is_back) {
    is_back = 1;
    begin("since");
    // Another call in this frame is not the one that was copied from.
    if (!strcmp(argv[1], "sites"))
      sigsetjmp(unused, 0);
    if (!strcmp(argv[1], "restored"))
      call_and_restore();
    jump_by_copy(by_context);
  }
  STEP(1) x = 1;
  STEP(3) x = 3;
  if (argc > 2)
    __atsan_region_end();
  pthread_join(thread, NULL);
}
