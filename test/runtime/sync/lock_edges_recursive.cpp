// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: giving an inner level of a recursive lock back is no release, and a
// trylock that fails is no acquire.
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t inner
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t failed
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t succeeded 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

std::recursive_mutex lock;
int y;

// CHECK: region 'victim'
// CHECK: SUMMARY: {{.*}}lock_edges_recursive.cpp:

int main(int argc, char **argv) {
  if (called_with(argc, argv, "inner"))
    in_parallel(
        [] {
          atsan::atomic_region region("victim");
          std::lock_guard<std::recursive_mutex> outer(lock);
          STEP(1) {
            std::lock_guard<std::recursive_mutex> inner(lock);
          }
          STEP(3) {
            std::lock_guard<std::recursive_mutex> inner(lock);
            USE(y);
          }
        },
        [] {
          STEP(2) {
            if (lock.try_lock())
              abort();
            y = 1;
          }
        });
  bool succeeds = called_with(argc, argv, "succeeded");
  if (succeeds || called_with(argc, argv, "failed"))
    in_parallel(
        [=] {
          atsan::atomic_region region("victim");
          STEP(1) {
            lock.lock();
            lock.unlock();
            if (!succeeds)
              lock.lock();
          }
          STEP(3) {
            if (!succeeds)
              lock.unlock();
            USE(y);
          }
        },
        [=] {
          STEP(2) {
            if (lock.try_lock() != succeeds)
              abort();
            y = 1;
            if (succeeds)
              lock.unlock();
          }
        });
}
