// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -O2 -I %inputs %s -o %t.O2
// RUN: %exits 66 %t.O2 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: the summary names the program's own code, and regions begin there,
// although the accesses and the marks are in headers of libraries.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

#include <atomic>
#include <sanitizer/atsan.hpp>

std::atomic<int> flag;

static void *set(void *) {
  // CHECK: Region at summary_frame.cpp:[[# @LINE + 1]] of T1 is not atomic: T2 came in between,
  atsan::atomic_region region;
  int seen;
  STEP(ORDER(1, 2)) seen = flag.load();
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}summary_frame.cpp:[[# @LINE + 1]]:{{[0-9]+}} in set(void*)
  STEP(3) flag.store(seen + 1);
  return nullptr;
}

static void *clear(void *) {
  STEP(ORDER(2, 1)) flag.store(0);
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, set, nullptr);
  pthread_create(&b, nullptr, clear, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
