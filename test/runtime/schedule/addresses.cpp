// REQUIRES: fixed-addresses
// RUN: rm -rf %t
// RUN: %clangxx_atsan -fatomicity-schedule -O1 %s -o %t
// RUN: rm -rf %t.sched
// RUN: env ATSAN_OPTIONS=schedule_strategy=random:schedule_seed=3:schedule_out=%t.sched %t > %t.seen
// RUN: for i in 1 2 3 4 5 6 7 8; do env ATSAN_OPTIONS=schedule=%t.sched %t >> %t.seen || exit 1; done
// RUN: sort -u %t.seen > %t.unique
// RUN: wc -l < %t.unique | FileCheck %s
// RUN: for i in 1 2 3 4 5 6 7 8; do %t >> %t.seen || exit 1; done
// RUN: sort -u %t.seen > %t.unique
// RUN: wc -l < %t.unique | FileCheck --check-prefix=RANDOM %s
// RUN: rm -f %t.seen && %clangxx_atsan -shared-libsan -Wl,-rpath,%atsan_lib -fatomicity-schedule -O1 %s -o %t
// RUN: for i in 1 2 3 4; do %atsan explore --strategy=random --seed=3 --runs=1 -- sh -c 'case "$ATSAN_OPTIONS" in *schedule_strategy*) %t >> %t.seen;; *) %t;; esac' > %t.out || exit 1; done
// RUN: sort -u %t.seen > %t.unique
// RUN: wc -l < %t.unique | FileCheck %s
// Intent: under control a program has the same addresses in each run, those of
// its threads' stacks and of blocks on the heap included, so that what it sorts
// or hashes by them has the same order. Nobody else's are touched.
// CHECK: {{^ *1$}}
// RANDOM: {{^ *([2-9]|[1-9][0-9]+)$}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <functional>
#include <mutex>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <vector>

static std::mutex lock;
static std::set<size_t> hashes;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([] {
      int local;
      void *block = malloc(100);
      std::lock_guard<std::mutex> guard(lock);
      hashes.insert(std::hash<std::thread::id>()(std::this_thread::get_id()));
      hashes.insert(reinterpret_cast<size_t>(&local));
      hashes.insert(reinterpret_cast<size_t>(block));
    });
  for (std::thread &thread : threads) thread.join();
  // One line for all, in whichever order they came.
  for (size_t hash : hashes) printf("%zx ", hash);
  printf("\n");
}
