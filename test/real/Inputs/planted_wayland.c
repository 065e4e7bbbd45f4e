//===- planted_wayland.c -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wayland's lists: each call is one step of the library; two are not.
//
//===----------------------------------------------------------------------===//

#include "planted.h"

#include <wayland-util.h>

static struct wl_list List = {&List, &List}, First, Second;

void look(void) { (void)wl_list_empty(&List); }
void act(void) {
  wl_list_insert(&List, wl_list_empty(&List) ? &First : &Second);
}

int main(int Argc, char **Argv) {
  runPlanted(Argc, Argv);
  return 0;
}
