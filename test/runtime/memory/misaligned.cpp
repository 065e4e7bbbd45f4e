// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a hook whose access straddles two granules, though the type of the
// program's pointer promised otherwise, is of all its bytes and of no other: of
// the first granule, and of the second.
//
// RUN: for i in "8 4 4" "8 4 8" "8 4 11" "8 3 10" "4 6 6" "4 6 9" "2 7 8"; do \
// RUN:   %exits 66 %t read $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %exits 66 %t write $i 2>&1 | FileCheck %s || exit 1; done
// RUN: for i in "8 4 3" "8 4 12" "8 3 11" "4 6 5" "4 6 10" "2 7 6" "2 7 9"; do \
// RUN:   %silent %t read $i && %silent %t write $i || exit 1; done
// The first granule as a whole is recorded, too.
// RUN: %exits 66 %t read 8 4 11 whole 2>&1 | FileCheck %s
// RUN: %exits 66 %t write 8 4 11 whole 2>&1 | FileCheck %s
// RUN: %silent %t read 8 4 12 whole
// RUN: %silent %t write 8 4 12 whole
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

extern "C" {
void __atsan_read2(void *addr);
void __atsan_read4(void *addr);
void __atsan_read8(void *addr);
void __atsan_write2(void *addr);
void __atsan_write4(void *addr);
void __atsan_write8(void *addr);
}

typedef void Hook(void *addr);

static Hook *hook_of_size(bool is_read, int size) {
  switch (size) {
  case 2:
    return is_read ? __atsan_read2 : __atsan_write2;
  case 4:
    return is_read ? __atsan_read4 : __atsan_write4;
  default:
    return is_read ? __atsan_read8 : __atsan_write8;
  }
}

alignas(8) static char memory[32];

// What is accessed, its size and offset, and the byte that another thread
// changes in between.
int main(int argc, char **argv) {
  Hook *hook = hook_of_size(called_with(argc, argv, "read"), atoi(argv[2]));
  char *mine = memory + atoi(argv[3]), *theirs = memory + atoi(argv[4]);
  bool whole = argc > 5;
  // CHECK: Later: {{read|write}} of {{[248]}} bytes at {{.*}} in region 'victim'
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        for (int i = 0; i < 2 && whole; i++) hook(memory);
        // The first time the location becomes known.
        for (int step = 1; step <= 3; step += 2)
          STEP(step)
            for (int i = 0; i < 2; i++) hook(mine);
      },
      [=] {
        STEP(2) *theirs = 1;
      });
}
