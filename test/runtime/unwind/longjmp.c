// RUN: %clang_atsan -O0 -I%inputs %s -o %t.0 -lpthread
// Intent: longjmp and its kin end the regions that were begun in what they
// leave, and no others: what follows is outside (clean), a region that is still
// open goes on, and the next one is found (violations).
// RUN: %clang_atsan -O2 -I%inputs %s -o %t.2 -lpthread
//
// RUN: for t in %t.0 %t.2; do for i in longjmp _longjmp siglongjmp; do \
// RUN:   %silent $t $i || exit 1; \
// RUN:   %exits 66 $t $i open 2>&1 | FileCheck --check-prefix=OPEN %s || exit 1; \
// RUN:   %exits 66 $t $i later 2>&1 | FileCheck --check-prefix=LATER %s || exit 1; \
// RUN: done; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static int x;
static jmp_buf target;
static sigjmp_buf sigtarget;
static const char *how;
static int open_outside, later;

// OPEN: region 'outside'
// OPEN: SUMMARY: {{.*}}longjmp.c:
// LATER: region 'next'
// LATER: SUMMARY: {{.*}}longjmp.c:

__attribute__((noinline)) static void jump(int depth) {
  __atsan_region_begin("inside");
  USE(x);
  if (depth)
    jump(depth - 1);
  else if (!strcmp(how, "longjmp"))
    longjmp(target, 1);
  else if (!strcmp(how, "_longjmp"))
    _longjmp(target, 1);
  else
    siglongjmp(sigtarget, 1);
  abort();
}

__attribute__((noinline)) static void jump_away(void) {
  if (!strcmp(how, "longjmp")) {
    if (!setjmp(target))
      jump(3);
  } else if (!strcmp(how, "_longjmp")) {
    if (!_setjmp(target))
      jump(3);
  } else {
    if (!sigsetjmp(sigtarget, 1))
      jump(3);
  }
}

static void *victim(void *arg) {
  (void)arg;
  if (open_outside)
    __atsan_region_begin("outside");
  STEP(1) {
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
