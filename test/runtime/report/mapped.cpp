// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: memory that is mapped from a file, or shared without one, is no
// global; what a library has is.
// RUN: %exits 66 %t file %t.data 2>&1 | FileCheck --check-prefix=FILE %s
// FILE: (memory mapped from 'mapped.cpp.tmp.data') by T1
// FILE: is in memory mapped from 'mapped.cpp.tmp.data'.
// RUN: %exits 66 %t anonymous 2>&1 | FileCheck --check-prefix=ANONYMOUS %s
// ANONYMOUS: (shared memory without a file) by T1
// RUN: %exits 66 %t private 2>&1 | FileCheck --check-prefix=PRIVATE %s
// PRIVATE: (neither heap, stack nor global) by T1
// RUN: %exits 66 %t global 2>&1 | FileCheck --check-prefix=GLOBAL %s
// GLOBAL: (global 'variable') by T1
// RUN: env ATSAN_SYMBOLIZER_PATH=/nonexistent/llvm-symbolizer %exits 66 %t global 2>&1 | FileCheck --check-prefix=NAMELESS %s
// NAMELESS: (global at (mapped.cpp.tmp+0x{{.*}})) by T1
// RUN: env ATSAN_OPTIONS=report_format=json %exits 66 %t file %t.data 2>&1 | FileCheck --check-prefix=JSON %s
// JSON: "kind":"mapped","label":"memory mapped from 'mapped.cpp.tmp.data'","name":"mapped.cpp.tmp.data"
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/mman.h>

int variable;

static int *map(int flags, int file) {
  return static_cast<int *>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, flags, file, 0));
}

int main(int, char **argv) {
  const char *how = argv[1];
  int *p = &variable;
  if (!strcmp(how, "file")) {
    int file = open(argv[2], O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 4096))
      return 1;
    p = map(MAP_SHARED, file);
  } else if (!strcmp(how, "anonymous")) {
    p = map(MAP_SHARED | MAP_ANONYMOUS, -1);
  } else if (!strcmp(how, "private")) {
    p = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  }
  in_parallel(
      [=] {
        atsan::atomic_region region("r");
        STEP(1) USE(*p);
        STEP(3) USE(*p);
      },
      [=] {
        STEP(2) *p = 1;
      });
}
