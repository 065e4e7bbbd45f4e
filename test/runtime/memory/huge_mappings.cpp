// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: terabytes that a program reserves and never touches cost nothing,
// inside a region or beside one. What is used of them, here and there, is
// watched as ever.
// RUN: env ATSAN_TEST_TIMEOUT=10 %silent %t
// RUN: %silent %t sparse
// RUN: %exits 66 %t sparse bad 2>&1 | FileCheck %s
// CHECK: region 'open'
// CHECK: SUMMARY: {{.*}}huge_mappings.cpp:
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

// One byte in each of 64 places, 16 GiB apart.
static void use(char *terabyte, int offset) {
  for (size_t i = 0; i < kTerabyte; i += kTerabyte / 64) terabyte[i + offset]++;
}

static void run_sparse(bool bad) {
  char *p = static_cast<char *>(
      mmap(nullptr, kTerabyte, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (p == MAP_FAILED) {
    perror("mmap");
    _Exit(3);
  }
  in_parallel(
      [=] {
        atsan::atomic_region region("open");
        STEP(1) use(p, 0);
        STEP(3) use(p, 0);
      },
      [=] {
        STEP(2) use(p, bad ? 0 : 1);
      });
  munmap(p, kTerabyte);
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "sparse")) {
    run_sparse(called_with(argc, argv, "bad"));
    return 0;
  }
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
