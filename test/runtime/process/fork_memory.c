// RUN: %clang_atsan -O1 -I%inputs %s -o %t
// Intent: the child of a fork has no more memory of its own than it uses: the
// runtime's tables stay those of its parent.
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"
#include "resident.h"

#include <sys/wait.h>
#include <unistd.h>

static int number;

int main(void) {
  __atomic_begin();
  number++;
  __atomic_end();
  const pid_t child = fork();
  if (child == 0) {
    const long kib = resident_kib("Private_Dirty:");
    if (kib > 4096)
      fprintf(stderr, "the child has %ld KiB of its own\n", kib);
    return 0;
  }
  waitpid(child, NULL, 0);
}
