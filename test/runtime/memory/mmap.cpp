// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: munmap, and mmap over something that is mapped, end the life of
// memory; mremap takes it elsewhere. What follows in that place is new.
// RUN: %silent %t munmap
// RUN: %silent %t fixed
// RUN: %exits 66 %t kept 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/mman.h>

constexpr size_t kSize = 1 << 16;

static void *map(void *where) {
  return mmap(where, kSize, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0), -1, 0);
}

enum How { kMunmap, kFixed, kKept };

// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}mmap.cpp:

static void run(How how) {
  int *place = static_cast<int *>(map(nullptr));
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) place[100] = 1;
        STEP(3) {
          if (how == kMunmap)
            munmap(place, kSize);
          if (how != kKept)
            map(place);
          place[100] = 1;
        }
      },
      [=] {
        STEP(2) place[100] = 2;
      });
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "munmap"))
    run(kMunmap);
  if (called_with(argc, argv, "fixed"))
    run(kFixed);
  if (called_with(argc, argv, "kept"))
    run(kKept);
}
