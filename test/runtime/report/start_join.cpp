// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: env ATSAN_OPTIONS=region_splits=none %python %S/Inputs/golden.py %s.expected %t
// RUN: env ATSAN_OPTIONS=region_splits=none %exits 66 %t 2>&1 | FileCheck %s
// CHECK: Thread T1 (finished) was created by the main thread:
// RUN: %silent %t
// Intent: a region that starts a thread and waits for it is no transaction,
// unless it is divided there.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

int result;

static void *work(void *) {
  result = 1;
  return nullptr;
}

int main() {
  pthread_t thread;
  __atsan_region_begin("run in parallel");
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_join(thread, nullptr);
  __atsan_region_end();
  return result - 1;
}
