// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a program's own allocator can say when memory is born and dies: a
// block that is used again is another one. Death is a write of the block, so
// taking back what another thread's region uses is a violation.
// RUN: %silent %t death
// RUN: %silent %t birth
// RUN: %silent %t new-memory
// RUN: %exits 66 %t none 2>&1 | FileCheck %s
// RUN: %exits 66 %t early 2>&1 | FileCheck --check-prefix=EARLY %s
// CHECK: region 'user'
// EARLY: region 'user'
// EARLY: SUMMARY: {{.*}}allocator.cpp
//
// A trace has the life of the block, as that of one from malloc.
// RUN: env ATSAN_OPTIONS=trace='%t.trace' %t birth && %atsan trace print %t.trace | FileCheck --check-prefix=BIRTH %s
// RUN: env ATSAN_OPTIONS=trace='%t.trace' %t death && %atsan trace print %t.trace | FileCheck --check-prefix=DEATH %s
// BIRTH: {{birth +block}}
// DEATH: {{write +block \(16 bytes\)}}
// DEATH-NEXT: {{death +block \(16 bytes\)}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

extern "C" void AnnotateNewMemory(const char *, int, void *, size_t);

static int block[4];
static bool death, birth, new_memory, early;

static int *allocate() {
  if (birth)
    __atsan_memory_birth(block, sizeof(block));
  if (new_memory)
    AnnotateNewMemory(__FILE__, __LINE__, block, sizeof(block));
  return block;
}

static void give_back(int *memory) {
  if (death || early)
    __atsan_memory_death(memory, sizeof(block));
}

// The early death of the block, and then a sign of it.
static int sign;

static void user() {
  atsan::atomic_region region("user");
  STEP(1) {
    int *memory = allocate();
    memory[0] = 1;
    if (!early)
      give_back(memory);
  }
  STEP(3) {
    if (early) {
      USE(sign);
    } else {
      int *memory = allocate();
      memory[0] = 1;
      give_back(memory);
    }
  }
}

static void other() {
  STEP(2) {
    if (early) {
      give_back(block);
      sign = 1;
    } else {
      int *memory = allocate();
      memory[0] = 2;
      give_back(memory);
    }
  }
}

int main(int argc, char **argv) {
  death = called_with(argc, argv, "death");
  birth = called_with(argc, argv, "birth");
  new_memory = called_with(argc, argv, "new-memory");
  early = called_with(argc, argv, "early");
  in_parallel(user, other);
}
