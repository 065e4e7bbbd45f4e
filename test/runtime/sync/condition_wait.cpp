// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a condition wait gives the lock up, so it divides the region it
// stands in; with region_splits=none, or a list without wait, what the other
// thread does during the wait is in the middle of the region.
//
// RUN: for i in wait wait_for wait_until any; do \
// RUN:   %silent %t $i || exit 1; \
// RUN:   env ATSAN_OPTIONS=region_splits=wait %silent %t $i || exit 1; \
// RUN:   env ATSAN_OPTIONS=region_splits=none %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=region_splits=start,join,barrier \
// RUN:     %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

std::mutex lock;
std::condition_variable changed;
std::condition_variable_any any_changed;
int items;

enum Kind { kWait, kWaitFor, kWaitUntil, kAny };

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'consume'
// CHECK: global 'items'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}condition_wait.cpp:

static void consume(Kind kind) {
  auto far = std::chrono::seconds(100);
  atsan::atomic_region region("consume");
  std::unique_lock<std::mutex> guard(lock);
  step_begin(1);
  USE(items); // Zero: the producer is waiting for the lock.
  step_end(1);
  while (items == 0) {
    if (kind == kWait)
      changed.wait(guard);
    else if (kind == kWaitFor)
      changed.wait_for(guard, far);
    else if (kind == kWaitUntil)
      changed.wait_until(guard, std::chrono::system_clock::now() + far);
    else
      any_changed.wait(guard);
  }
  items--;
}

static void produce() {
  step_begin(2);
  std::lock_guard<std::mutex> guard(lock);
  items++;
  changed.notify_one();
  any_changed.notify_one();
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  Kind kind = is("wait_for")     ? kWaitFor
              : is("wait_until") ? kWaitUntil
              : is("any")        ? kAny
                                 : kWait;
  in_parallel([=] { consume(kind); }, produce);
}
