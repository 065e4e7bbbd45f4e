// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a loop that finds another number each time does not wait for others.
// A thread that counts in one took as many turns as it has rounds, and what
// shows behind it was hardly ever found.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o test
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DFIXED %s -o fixed
// RUN: for s in 1 2 3; do %exits 66 %atsan explore --strategy=surw --seed=$s --runs=200 --replays=1 -- ./test | FileCheck %s || exit 1; done
// RUN: %atsan explore --strategy=surw --runs=50 -- ./fixed
// CHECK: Region 'adds' of T1 is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <sanitizer/atsan.hpp>
#include <thread>

static std::atomic<int> flag, number, rounds;

static void count(int n) {
  for (int i = 0; i < n; i++)
    rounds++;
}

static void add() {
  atsan::atomic_region region("adds");
#ifdef FIXED
  number += 1;
#else
  int before = number;
  count(1);
  number = before + 1;
#endif
}

int main() {
  std::thread a([] {
    count(30);
    flag = 1;
    count(10);
    add();
    count(10);
  });
  std::thread b([] {
    count(1);
    while (!flag) {
    }
    number = 5;
    count(1);
  });
  a.join();
  b.join();
}
