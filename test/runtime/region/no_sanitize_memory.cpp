// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: memory intrinsics of an ATSAN_NO_SANITIZE function do not count
// either.
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t ignored
// XFAIL: *
// They become calls of libc's memset and memcpy, which are intercepted.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

char buffer[4000], other_buffer[4000];

// CHECK: region 'reader'
// CHECK: SUMMARY: {{.*}}no_sanitize_memory.cpp:

ATSAN_NO_SANITIZE static void store_ignored() {
  memset(buffer, 1, sizeof(buffer));
  memcpy(other_buffer, buffer, sizeof(buffer));
}

static void store() { memset(buffer, 1, sizeof(buffer)); }

int main(int argc, char **argv) {
  bool ignored = called_with(argc, argv, "ignored");
  auto read_all = [] {
    USE(buffer[7]);
    USE(other_buffer[7]);
  };
  in_parallel(
      [=] {
        atsan::atomic_region region("reader");
        STEP(1) read_all();
        STEP(3) read_all();
      },
      [=] {
        STEP(2) ignored ? store_ignored() : store();
      });
}
