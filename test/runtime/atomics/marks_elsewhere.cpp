// RUN: for o in 0 2; do %clangxx_atsan -O$o -I%inputs %s -o %t.$o -rdynamic || exit 1; done
// Intent: atomic operations count also where no instrumented code names a mark:
// the regions begin and end in code of another language, which found them by
// name.
// RUN: for o in 0 2; do %exits 66 %t.$o between 2>&1 | FileCheck %s || exit 1; %silent %t.$o after || exit 1; done
// CHECK: Region {{.*}} of T1 is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <dlfcn.h>

static std::atomic<int> x;

int main(int argc, char **argv) {
  using Mark = void (*)();
  const auto begin =
      reinterpret_cast<Mark>(dlsym(RTLD_DEFAULT, "__atomic_begin"));
  const auto end = reinterpret_cast<Mark>(dlsym(RTLD_DEFAULT, "__atomic_end"));
  const bool is_between = argv[1][0] == 'b';
  in_parallel(
      [=] {
        begin();
        STEP(1) x.store(1);
        STEP(is_between ? 3 : 2) x.store(2);
        end();
      },
      [=] {
        STEP(is_between ? 2 : 3) x.fetch_add(1);
      });
}
