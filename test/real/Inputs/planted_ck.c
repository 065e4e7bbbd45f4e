//===- planted_ck.c ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Concurrency Kit's spinlock, which is made of inline assembly: each step holds
// it.
//
//===----------------------------------------------------------------------===//

#include "planted.h"

#include <ck_spinlock.h>

static ck_spinlock_fas_t Lock = CK_SPINLOCK_FAS_INITIALIZER;
static int Balance;
static volatile int Seen; // The reads must have an effect.

void look(void) {
  ck_spinlock_fas_lock(&Lock);
  Seen = Balance;
  ck_spinlock_fas_unlock(&Lock);
}
void act(void) {
  ck_spinlock_fas_lock(&Lock);
  Balance = Balance + 1;
  ck_spinlock_fas_unlock(&Lock);
}

int main(int Argc, char **Argv) {
  runPlanted(Argc, Argv);
  return 0;
}
