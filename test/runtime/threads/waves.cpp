// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: 600 short threads, in waves: identifiers are used again, and no
// thread inherits anything from a dead one. A cycle that is made after all this
// is found.
// RUN: %silent %t
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>
#include <vector>

constexpr int kWaves = 30, kThreadsInWave = 20;

std::mutex lock;
int total, x;

static void add() {
  atsan::atomic_region region("add");
  std::lock_guard<std::mutex> guard(lock);
  total++;
}

int main(int argc, char **argv) {
  bool bad = called_with(argc, argv, "bad");
  for (int wave = 0; wave < kWaves; wave++) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreadsInWave; i++) threads.emplace_back(add);
    for (std::thread &thread : threads) thread.join();
  }
  // CHECK: region 'late'
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}waves.cpp:
  if (bad)
    in_parallel(
        [] {
          atsan::atomic_region region("late");
          STEP(1) USE(x);
          STEP(3) x = 1;
        },
        [] {
          STEP(2) x = 2;
        });
  return total == kWaves * kThreadsInWave ? 0 : 1;
}
