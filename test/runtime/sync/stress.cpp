// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: many threads find many violations at the same time: each place is
// reported once, nothing hangs or crashes, the program comes to its end, the
// exit code is 66.
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t > %t.log 2>&1
// RUN: FileCheck %s < %t.log
// RUN: env ATSAN_OPTIONS=halt_on_error=0:max_reports=1 %exits 66 %t 2>&1 | FileCheck %s
// RUN: %exits 66 %t 2>&1 | FileCheck --check-prefix=HALT %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <mutex>
#include <vector>

int plain[8];
std::atomic<int> atomics[8];
std::mutex lock;

// CHECK: region 'stress'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
// CHECK: the end
// HALT: region 'stress'
// HALT: SUMMARY: AtomicitySanitizer: atomicity-violation
// HALT-NOT: the end

static void work(unsigned seed) {
  step_begin(2); // All together.
  for (int i = 0; i < 3000; i++) {
    seed = seed * 1103515245 + 12345;
    atsan::atomic_region region("stress");
    int k = (seed >> 16) % 8;
    int value = plain[k];
    if (seed & 0x100) {
      std::lock_guard<std::mutex> guard(lock);
      value += atomics[(k + 1) % 8]++;
    }
    plain[(k + 3) % 8] = value;
    if (seed & 0x200000) {
      int *block = new int[100];
      block[3] = value;
      delete[] block;
    }
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; i++) threads.emplace_back(work, i + 1);
  threads.emplace_back([] {
    step_begin(2);
    // At least one, if the others never meet.
    atsan::atomic_region region("stress");
    USE(plain[0]);
    share(plain);
    while (shared()) sched_yield();
    USE(plain[0]);
  });
  step_end(1);
  while (!shared()) sched_yield();
  plain[0] = 1;
  share(nullptr);
  for (std::thread &thread : threads) thread.join();
  fprintf(stderr, "the end\n");
}
