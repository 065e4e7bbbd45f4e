// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o %t
// Intent: who sleeps for as long as can be said sleeps for ever in virtual
// time, too, however late it is; so it is a deadlock to wait for it.
// RUN: env ATSAN_OPTIONS=schedule_strategy=random:schedule_seed=1 %exits 66 %t 2>&1 | FileCheck %s
// CHECK: slept for two seconds
// CHECK-NOT: woke
// CHECK: ERROR: AtomicitySanitizer: deadlock: no thread can go on
// CHECK-SAME: waits in nanosleep for ever
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <climits>
#include <cstdio>
#include <thread>
#include <time.h>

int main() {
  std::thread sleeper([] {
    timespec duration = {2, 0};
    nanosleep(&duration, nullptr);
    fputs("slept for two seconds\n", stderr);
    duration = {LONG_MAX, 0};
    nanosleep(&duration, nullptr);
    fputs("woke\n", stderr);
  });
  sleeper.join();
}
