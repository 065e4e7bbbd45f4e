// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: terabytes that a program reserves and never touches cost nothing,
// inside a region or beside one.
// RUN: env ATSAN_TEST_TIMEOUT=10 %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/mman.h>

constexpr size_t kTerabyte = 1ul << 40;

static void map_and_unmap() {
  void *p = mmap(nullptr, kTerabyte, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p != MAP_FAILED)
    munmap(p, kTerabyte);
}

int main() {
  in_parallel(
      [] {
        atsan::atomic_region region("open");
        STEP(1) map_and_unmap();
        step_begin(3);
      },
      [] {
        STEP(2) map_and_unmap();
      });
}
