// REQUIRES: strace
// RUN: %clangxx_atsan -fatomicity-schedule -O1 %s -o %t
// RUN: env ATSAN_OPTIONS=schedule_strategy=random:schedule_seed=3 strace -f -qq -o %t.calls -e trace=munmap -e inject=munmap:delay_exit=30000 %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: FileCheck --check-prefix=HELD %s < %t.calls
// Intent: a thread that ends may be held up for long between giving its state
// back and giving the baton away: a thread that waits for its turn meanwhile
// looks at the one that has the baton, not at the state that it had.
// CHECK: 200
// HELD-COUNT-20: munmap({{.*}}(DELAYED)
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mutex>
#include <stdio.h>
#include <thread>
#include <vector>

static std::mutex lock;
static int count;

int main() {
  // More than there are spare states for.
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; i++)
    threads.emplace_back([] {
      for (int j = 0; j < 2; j++) {
        std::lock_guard<std::mutex> guard(lock);
        count++;
      }
    });
  for (std::thread &thread : threads) thread.join();
  printf("%d\n", count);
}
