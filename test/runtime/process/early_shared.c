// RUN: %clang_atsan -O1 -shared-libsan -fatomicity-regions=exported %s -o %t
// Intent: code that runs before a shared runtime does may begin regions, and
// allocate much.
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMuch = 2 << 20 };
static char *block;
static int x;
static const char *volatile nothing = "";

void fill(void) {
  x++;
  block = malloc(kMuch);
  memset(block, 1, kMuch);
  block = realloc(block, 2 * kMuch);
  fputs(nothing, stdout); /* Starts the runtime, if that is not done. */
  x++;
}

static void early(int argc, char **argv, char **env) {
  (void)argc, (void)argv, (void)env;
  fill();
}
__attribute__((section(".preinit_array"),
               used)) static void (*first)(int, char **, char **) = early;

int main(void) {
  if (x != 2 || block[kMuch - 1] != 1)
    return 1;
  free(block);
  return 0;
}
