// RUN: %clangxx_atsan %libcxx -std=c++20 -O0 -I%inputs %s -o %t.O0
// RUN: %clangxx_atsan %libcxx -std=c++20 -O2 -I%inputs %s -o %t.O2
// REQUIRES: libcxx
// Intent: the locks with a limit of libc++ are no data, although a part of each
// is a template in a header. What they guard is data.
// RUN: for o in O0 O2; do for m in timed recursive shared; do %silent %t.$o $m || exit 1; done; done
// RUN: for o in O0 O2; do for m in timed recursive shared; do %exits 66 %t.$o $m data 2>&1 | FileCheck %s || exit 1; done; done
// CHECK: Region 'twice' of T{{[12]}} is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>

static bool has_data;
static int data;

template <class Mutex> static void use(Mutex &mutex) {
  if (!mutex.try_lock_for(std::chrono::hours(1)))
    return;
  if (has_data)
    data++;
  mutex.unlock();
}

template <class Mutex> static void run() {
  static Mutex mutex;
  in_parallel(
      [] {
        atsan::atomic_region region("twice");
        STEP(1) use(mutex);
        STEP(3) use(mutex);
      },
      [] {
        atsan::atomic_region region("once");
        STEP(2) use(mutex);
      });
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  has_data = called_with(argc, argv, "data");
  if (how == "timed")
    run<std::timed_mutex>();
  else if (how == "recursive")
    run<std::recursive_timed_mutex>();
  else
    run<std::shared_timed_mutex>();
}
