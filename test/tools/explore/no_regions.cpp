// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx_atsan -O1 -g -fatomicity-schedule %s -o without
// RUN: %clangxx_atsan -O1 -g -fatomicity-schedule -DMARKED %s -o with
// Intent: who has marked nothing, or has excluded all, learns that no region
// was looked at, also where the results of shards are joined.
// RUN: %atsan explore --runs=3 -- ./without | FileCheck --check-prefix=NONE %s
// RUN: %atsan explore --runs=3 --shard=1/1 --json=one -- ./without
// RUN: %atsan explore --merge one | FileCheck --check-prefix=NONE %s
// RUN: echo count > list
// RUN: env ATSAN_OPTIONS=exclude_regions=list %atsan explore --runs=3 -- ./with | FileCheck --check-prefix=EXCLUDED %s
// RUN: %atsan explore --runs=3 -- ./with | FileCheck --check-prefix=SOME %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mutex>
#include <sanitizer/atsan.hpp>
#include <thread>

static std::mutex Lock;
static int Count;

static void count() {
#ifdef MARKED
  atsan::atomic_region Region("count");
#endif
  std::lock_guard<std::mutex> Guard(Lock);
  Count++;
}

int main() {
  std::thread One(count), Two(count);
  One.join();
  Two.join();
  return Count != 2;
}

// NONE: nothing found
// NONE-NEXT: no region has begun; mark some, or compile with -fatomicity-regions=exported: only crashes, deadlocks and failed tests can be found
// EXCLUDED: nothing found
// EXCLUDED-NEXT: all regions are excluded by a list: only crashes
// SOME: nothing found
// SOME-NOT: regions
