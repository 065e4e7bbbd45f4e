// RUN: %clangxx_atsan -std=c++17 -O1 -fno-builtin -I%inputs %s -o %t
// Intent: every form of operator new and delete gives and takes blocks like
// malloc and free: a block that is used again is another one, and reports know
// where it was allocated.
// RUN: %silent %t scalar
// RUN: %silent %t array
// RUN: %silent %t nothrow
// RUN: %silent %t aligned
// RUN: %silent %t aligned-array
// RUN: %silent %t sized
// RUN: %silent %t failing
// RUN: %exits 66 %t aligned-array kept 2>&1 | FileCheck %s
// CHECK: region 'user'
// CHECK: heap block of 4096 bytes allocated by T1
// CHECK-NEXT: operator new
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <new>

constexpr size_t kSize = 4096;
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

// The allocator gives a thread what it has just taken back; a thread that has
// another cache may not get it, and then there is nothing to see.
static void use() {
  char *block = kept && shared() ? static_cast<char *>(shared()) : make();
  block[100] = 1;
  if (kept)
    share(block);
  else
    remove(block);
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
  auto other = [] {
    STEP(2) use();
  };
  in_parallel(
      [] {
        atsan::atomic_region region("user");
        STEP(1) use();
        STEP(3) use();
      },
      other);
}
