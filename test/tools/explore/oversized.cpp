// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o %t -latomic
// RUN: timeout 120 %atsan explore --runs=50 -- %t | FileCheck %s
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DTWICE %s -o %t.twice -latomic
// RUN: %exits 66 timeout 120 %atsan explore --runs=50 -- %t.twice | FileCheck --check-prefix=TWICE %s
// Intent: an operation on an atomic object that libatomic takes a mutex for is
// one step: no other thread runs between the two calls for the mutex, where it
// would wait for the operation for ever.
// CHECK: 50 schedules, 2 distinct classes: nothing found
// TWICE: 1 atomicity violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <sanitizer/atsan.hpp>
#include <thread>

struct Big {
  long words[3];
};
static std::atomic<Big> object;

static void change() {
  atsan::atomic_region region("change");
#ifdef TWICE
  Big value = object;
  value.words[0]++;
  object = value;
#else
  object.exchange({{1}});
#endif
}

int main() {
  std::thread a(change), b(change);
  a.join();
  b.join();
}
