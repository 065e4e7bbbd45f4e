// RUN: %clangxx_atsan -std=c++17 -O0 -I%inputs %s -o %t.O0
// RUN: %clangxx_atsan -std=c++17 -O2 -I%inputs %s -o %t.O2
// Intent: what a pool of the C++ library hands out again is another object, as
// with malloc; as long as an object lives, its accesses conflict.
// RUN: for level in O0 O2; do for pool in pool synchronized; do \
// RUN:   %silent %t.$level $pool || exit 1; \
// RUN:   for bad in bad late; do \
// RUN:     %exits 66 %t.$level $pool $bad 2>&1 | FileCheck %s || exit 1; done; done; done
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'consumer'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <memory_resource>
#include <mutex>

static std::mutex mutex;

static int *allocate(std::pmr::memory_resource &pool, int value) {
  std::lock_guard<std::mutex> lock(mutex);
  int *object = static_cast<int *>(pool.allocate(sizeof(int)));
  *object = value;
  return object;
}

static void deallocate(std::pmr::memory_resource &pool, int *object) {
  std::lock_guard<std::mutex> lock(mutex);
  pool.deallocate(object, sizeof(int));
}

// The consumer takes two objects, one after the other, at the same place. In a
// bad run it is one object, which is changed meanwhile, or taken back too
// early.
static void run(std::pmr::memory_resource &pool, bool bad, bool late) {
  in_parallel(
      [&] {
        step_begin(2);
        atsan::atomic_region region("consumer");
        int *object = static_cast<int *>(shared());
        USE(*object);
        if (!bad && !late)
          deallocate(pool, object);
        step_end(2);
        step_begin(4);
        USE(*object);
        if (!late)
          deallocate(pool, object);
        step_end(4);
      },
      [&] {
        int *object = nullptr;
        STEP(1) share(object = allocate(pool, 1));
        STEP(3) {
          if (late)
            deallocate(pool, object);
          else if (bad)
            *object = 2;
          else
            CHECK(allocate(pool, 2) == object);
        }
      });
}

int main(int argc, char **argv) {
  bool bad = called_with(argc, argv, "bad");
  bool late = called_with(argc, argv, "late");
  if (called_with(argc, argv, "synchronized")) {
    std::pmr::synchronized_pool_resource pool;
    run(pool, bad, late);
  } else {
    std::pmr::unsynchronized_pool_resource pool;
    run(pool, bad, late);
  }
}
