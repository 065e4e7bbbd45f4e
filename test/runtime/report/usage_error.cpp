// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: an end without a begin is an error of its own kind.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

static void *end(void *) {
  __atomic_begin();
  __atomic_end();
#ifndef TWIN
  __atomic_end();
#endif
  return nullptr;
}

int main() {
  pthread_t a;
  pthread_create(&a, nullptr, end, nullptr);
  pthread_join(a, nullptr);
}
