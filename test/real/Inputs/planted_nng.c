//===- planted_nng.c -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nng's messages: each call is one step of the library; two are not.
//
//===----------------------------------------------------------------------===//

#include "planted.h"

#include <nng/nng.h>
#include <nng/supplemental/util/platform.h>

static nng_mtx *Mutex;
static nng_msg *Message;

void look(void) {
  nng_mtx_lock(Mutex);
  (void)nng_msg_len(Message);
  nng_mtx_unlock(Mutex);
}
void act(void) {
  nng_mtx_lock(Mutex);
  nng_msg_append(Message, "x", 1);
  nng_mtx_unlock(Mutex);
}

int main(int Argc, char **Argv) {
  nng_mtx_alloc(&Mutex);
  nng_msg_alloc(&Message, 0);
  runPlanted(Argc, Argv);
  return 0;
}
