//===- memory_limit.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/memory_limit.h"
#include "lib/base/ResidentMemory.h"
#include <cstdlib>
#include <new>
#include <utility>

/// What is smaller is seen by those who look at the memory every now and then.
static constexpr std::size_t Large = std::size_t(1) << 20;

static uint64_t MaxBytes = UINT64_MAX;

atsan::tool::MemoryLimit::MemoryLimit(uint64_t Bytes) {
  MaxBytes = Bytes ? Bytes : UINT64_MAX;
}

atsan::tool::MemoryLimit::~MemoryLimit() { MaxBytes = UINT64_MAX; }

static bool isTooMuch(std::size_t Size) {
  if (Size < Large || MaxBytes == UINT64_MAX)
    return false;
  // Whoever looks at the memory opens a file, and that allocates, too.
  const uint64_t Max = std::exchange(MaxBytes, UINT64_MAX);
  const uint64_t Has = atsan::residentBytes();
  MaxBytes = Max;
  return Size > Max || Has > Max - Size;
}

void *operator new(std::size_t Size) {
  void *Memory = isTooMuch(Size) ? nullptr : std::malloc(Size ? Size : 1);
  if (!Memory)
    throw std::bad_alloc();
  return Memory;
}

void operator delete(void *Memory) noexcept { std::free(Memory); }
void operator delete(void *Memory, std::size_t) noexcept { std::free(Memory); }
