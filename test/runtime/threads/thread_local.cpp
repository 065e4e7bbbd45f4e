// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: thread-local variables are each thread's own, also where a new thread
// gets the storage of a dead one. A pointer to them makes them shared. Their
// destructors may have regions.
// RUN: %silent %t own
// RUN: %exits 66 %t pointer 2>&1 | FileCheck %s
// RUN: %silent %t destructor
// RUN: %exits 66 %t destructor bad 2>&1 | FileCheck --check-prefix=DESTRUCTOR %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

thread_local int mine;

struct WithDestructor {
  int value = 1;
  ~WithDestructor() { value = 0; }
};
thread_local WithDestructor with_destructor;

int x;
struct WithRegion {
  bool used = false;
  ~WithRegion() {
    if (!used)
      return;
    atsan::atomic_region region("destructor");
    STEP(1) USE(x);
    STEP(3) USE(x);
  }
};
thread_local WithRegion with_region;

// DESTRUCTOR: region 'destructor'
// DESTRUCTOR: SUMMARY: {{.*}}thread_local.cpp:{{.*}}WithRegion

// CHECK: region 'reader'
// CHECK: SUMMARY: {{.*}}thread_local.cpp:

int main(int argc, char **argv) {
  if (called_with(argc, argv, "pointer")) {
    in_parallel(
        [] {
          atsan::atomic_region region("reader");
          STEP(1) {
            USE(mine);
            share(&mine);
          }
          STEP(3) USE(mine);
        },
        [] {
          STEP(2) *static_cast<int *>(shared()) = 1;
        });
    return 0;
  }
  if (called_with(argc, argv, "destructor")) {
    bool bad = called_with(argc, argv, "bad");
    in_parallel([] { with_region.used = true; },
                [=] {
                  STEP(2) {
                    if (bad)
                      x = 1;
                  }
                });
    return 0;
  }
  // The storage of short threads is used again while a region is open.
  std::thread keeps_open([] {
    atsan::atomic_region region("open");
    STEP(1) mine++;
    STEP(3) mine++;
  });
  auto short_thread = [] {
    atsan::atomic_region region("short");
    mine++;
    with_destructor.value++;
    USE(mine);
  };
  STEP(2) {
    for (int i = 0; i < 20; i++) in_parallel(short_thread, short_thread);
  }
  keeps_open.join();
}
