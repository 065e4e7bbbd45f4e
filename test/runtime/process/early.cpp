// RUN: %clangxx_atsan -O1 -fno-rtti -I%inputs %s -o %t
// Intent: regions, threads and violations work in constructors before main and
// in destructors after it; memory may come and go even earlier.
// RUN: %exits 66 %t 2>&1 | FileCheck --check-prefix=BEFORE %s
// RUN: %clangxx_atsan -O1 -DAFTER -I%inputs %s -o %t.after
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t.after 2>&1 | FileCheck --check-prefix=AFTER %s
// RUN: %clangxx_atsan -O1 -DGOOD -I%inputs %s -o %t.good
// RUN: %silent %t.good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/mman.h>

#include "atsan_test.hpp"

int x;

// The runtime calls it before it is ready.
extern "C" const char *__atsan_default_options() {
  constexpr size_t kSize = 1 << 20;
  void *memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory, kSize);
  return "";
}

static void run() {
  in_parallel(
      [] {
        atsan::atomic_region region("reader");
        STEP(1) USE(x);
#ifdef GOOD
        STEP(2) USE(x);
#else
        STEP(3) USE(x);
#endif
      },
      [] {
#ifdef GOOD
        STEP(3) x = 1;
#else
        STEP(2) x = 1;
#endif
      });
  step_end(0);
}

// BEFORE-NOT: in main
// BEFORE: region 'reader'
// BEFORE: SUMMARY: {{.*}}early.cpp:
// BEFORE-NOT: in main
// AFTER: in main
// AFTER: region 'reader'
// AFTER: SUMMARY: {{.*}}early.cpp:

struct Early {
  Early() {
#ifndef AFTER
    run();
#endif
  }
  ~Early() { run(); }
} early;

int main() {
#ifndef GOOD
  fprintf(stderr, "in main\n");
#endif
}
