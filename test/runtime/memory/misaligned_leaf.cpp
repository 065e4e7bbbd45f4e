// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a hook whose access straddles two granules, though the type of the
// program's pointer promised otherwise, is of both, also where no region has
// accessed anything in the 16 MiB of memory around the first one.
// RUN: %exits 66 %t straddles 2>&1 | FileCheck %s
// RUN: %silent %t before
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/mman.h>

extern "C" void __atsan_write8(void *addr);

constexpr uintptr_t kLeaf = 16 << 20;

// CHECK: region 'victim'
int main(int argc, char **argv) {
  char *mapped =
      static_cast<char *>(mmap(nullptr, 3 * kLeaf, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  char *border =
      mapped + 2 * kLeaf - reinterpret_cast<uintptr_t>(mapped) % kLeaf;
  char *theirs = border - (called_with(argc, argv, "straddles") ? 4 : 8);
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) USE(*border);
        STEP(3) USE(*border);
      },
      [=] {
        STEP(2) __atsan_write8(theirs);
      });
}
