//===- planted_pixman.c --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pixman's regions of pixels: each call is one step of the library; two are
// not.
//
//===----------------------------------------------------------------------===//

#include "planted.h"

#include <pixman.h>

static pixman_region32_t Region = {{0, 0, 8, 8}, 0};

void look(void) { (void)pixman_region32_contains_point(&Region, 1, 1, 0); }
void act(void) { pixman_region32_translate(&Region, 1, 1); }

int main(int Argc, char **Argv) {
  runPlanted(Argc, Argv);
  return 0;
}
