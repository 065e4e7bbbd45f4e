// RUN: %clangxx_atsan -std=c++17 -O1 -fno-builtin -I%inputs %s -o %t
// Intent: every form of operator new and delete gives and takes blocks like
// malloc and free: a block that is used again is another one, and reports know
// where it was allocated.
// RUN: %silent %t scalar
// RUN: %silent %t array
// RUN: %silent %t nothrow
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=0 %silent %t aligned
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=0 %silent %t aligned-array
// RUN: %silent %t sized
// RUN: %silent %t failing
// RUN: %exits 66 %t aligned-array kept 2>&1 | FileCheck %s
// CHECK: region 'user'
// CHECK: heap block of 100096 bytes allocated by T1
// CHECK-NEXT: operator new
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <malloc.h>
#include <new>

constexpr size_t kSize = 100000;
constexpr std::align_val_t kAlign{256};
static const char *form;
static bool kept;

static bool is(const char *name) { return !strcmp(form, name); }

static char *make() {
  if (is("array"))
    return new char[kSize];
  if (is("nothrow"))
    return new (std::nothrow) char[kSize];
  if (is("aligned"))
    return static_cast<char *>(operator new(kSize, kAlign));
  if (is("aligned-array"))
    return static_cast<char *>(operator new[](kSize, kAlign));
  return static_cast<char *>(operator new(kSize));
}

static void remove(char *block) {
  if (is("array") || is("nothrow"))
    delete[] block;
  else if (is("aligned"))
    operator delete(block, kSize, kAlign);
  else if (is("aligned-array"))
    operator delete[](block, kAlign);
  else if (is("sized"))
    operator delete(block, kSize);
  else
    operator delete(block);
}

// The allocator gives a thread what another one has just given back.
static void use() {
  char *block = kept && shared() ? static_cast<char *>(shared()) : make();
  if (shared() && shared() != block)
    fprintf(stderr, "no reuse, nothing tested\n");
  share(block);
  block[100] = 1;
  if (!kept)
    remove(block);
}

// The first allocation of a thread takes memory for the allocator itself.
static void warm_up() {
  void *block = malloc(10);
  USE(block);
  free(block);
}

static int fail() {
  try {
    USE(operator new(1ul << 62));
    return 1;
  } catch (const std::bad_alloc &) {
  }
  try {
    USE(operator new[](1ul << 62, kAlign));
    return 1;
  } catch (const std::bad_alloc &) {
  }
  if (operator new(1ul << 62, std::nothrow) || operator new[](1ul << 62, kAlign,
                                                              std::nothrow))
    return 1;
  return 0;
}

int main(int argc, char **argv) {
  form = argv[1];
  kept = called_with(argc, argv, "kept");
  if (is("failing")) {
    atsan::atomic_region region("user");
    return fail();
  }
  // One arena, and blocks too large for caches and holes; without caches, what
  // alignment cuts off goes back at once.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MXFAST, 0);
  in_parallel(
      [] {
        STEP(1) warm_up();
        atsan::atomic_region region("user");
        STEP(3) use();
        STEP(5) use();
      },
      [] {
        STEP(2) warm_up();
        STEP(4) use();
        step_begin(6); // The end of a thread frees memory of the allocator.
      });
}
