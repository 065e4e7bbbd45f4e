/*===-- changes_twice.h - A thread that comes in between ---------*- C -*-===//
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* Variables, and a thread that changes both in step 2 and again in step 4.
|*
\*===----------------------------------------------------------------------===*/
#ifndef CHANGES_TWICE_H
#define CHANGES_TWICE_H

#include "atsan_test.h"

static int x, y;

static void *other_thread(void *unused) {
  step_begin(2);
  x++;
  y++;
  step_end(2);
  step_begin(4);
  x++;
  y++;
  step_end(4);
  return unused;
}

#endif /* CHANGES_TWICE_H */
