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

#include "left_region.h"

#include <setjmp.h>

static jmp_buf target;
static sigjmp_buf sigtarget;

// OPEN: region 'outside'
// OPEN: SUMMARY: {{.*}}left_region.h:
// LATER: region 'next'
// LATER: SUMMARY: {{.*}}left_region.h:

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

__attribute__((noinline)) static void leave_region(void) {
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
