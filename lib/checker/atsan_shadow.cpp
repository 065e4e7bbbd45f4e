//===-- atsan_shadow.cpp ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of shadow leaves. The table itself is 64 MiB of reserved, untouched
// address space; a leaf 33 MiB, of which pages become memory that are touched,
// or probably will be.
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_shadow.h"

#include <linux/mman.h>

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_posix.h"

namespace __atsan {

constexpr uptr kUnitsInLeaf = kLeafBytes / kUnit;
constexpr uptr kLeafShadowBytes = kPopulatedInLeaf + kUnitsInLeaf;
// How much of the program's memory has its pages (Page) in one of the kernel's.
constexpr uptr kUnitOfPages = kUnit / sizeof(Page) * kShadowPage;
// How many units ahead get their memory at once.
constexpr uptr kMaxAhead = 8;

atomic_uintptr_t *shadow_leaves;
StaticSpinMutex leaf_mutex;
static InternalMmapVectorNoCtor<uptr> mapped_leaves;

void ShadowInit() {
  shadow_leaves = static_cast<atomic_uintptr_t *>(
      MmapNoReserveOrDie(kNumLeaves * sizeof(shadow_leaves[0]),
                         "AtomicitySanitizer shadow table"));
}

uptr ShadowMapLeaf(uptr leaf) {
  SpinMutexLock lock(&leaf_mutex);
  uptr base = atomic_load(&shadow_leaves[leaf], memory_order_relaxed);
  if (base)
    return base;
  base = reinterpret_cast<uptr>(
      MmapNoReserveOrDie(kLeafShadowBytes, "AtomicitySanitizer shadow"));
  if (!mapped_leaves.data())
    mapped_leaves.Initialize(64);
  mapped_leaves.push_back(leaf);
  atomic_store(&shadow_leaves[leaf], base, memory_order_release);
  return base;
}

// --- Memory ahead of use. ----------------------------------------------------

// What is read first and written then costs two page faults, and the second one
// interrupts all processors that run the program. So the kernel is asked for
// memory to write: for the unit of the address, and for as many behind it as
// are in use before it, up to a limit, so that single accesses far from each
// other cost what they touch. Nothing depends on it but time: the memory is
// zero whoever asks for it, and without MADV_POPULATE_WRITE (Linux 5.14)
// it comes by faults.

static bool IsTouchedUnit(uptr leaf_base, uptr unit) {
  for (uptr i = 0; i < kUnit; i += kShadowPage)
    if (IsTouched(leaf_base, unit * kUnit + i))
      return true;
  return false;
}

static void Populate(void *begin, uptr units) {
  internal_madvise(RoundDownTo(reinterpret_cast<uptr>(begin), kUnit),
                   units * kUnit, MADV_POPULATE_WRITE);
}

void ShadowPopulate(uptr addr) {
  const uptr base = ShadowLeaf(addr);
  auto *populated = reinterpret_cast<atomic_uint8_t *>(base + kPopulatedInLeaf);
  auto IsPopulated = [populated](uptr unit) {
    return atomic_load(&populated[unit], memory_order_relaxed) != 0;
  };
  const uptr first = addr % kLeafBytes / kUnit;
  if (IsPopulated(first))
    return;
  uptr before = 0;
  if (first && IsTouchedUnit(base, first - 1))
    while (before < Min(first, kMaxAhead) && IsPopulated(first - 1 - before))
      before++;
  const uptr count = Min(1 + before, kUnitsInLeaf - first);
  // Two threads may populate the same units at once.
  for (uptr i = 0; i < count; i++)
    atomic_store(&populated[first + i], 1, memory_order_relaxed);
  AtomicCell *cell = CellInLeaf(base, addr);
  Populate(cell, count);
  Populate(LocsOf(cell), count);
  // The next thread to come here will read its page first.
  const uptr last = addr + (count - 1) * kUnit;
  if (count > 1 && last / kUnitOfPages != addr / kUnitOfPages)
    Populate(PageInLeaf(base, last), 1);
}

// --- Memory given back. ------------------------------------------------------

static void GiveBack(void *begin, void *end) {
  const uptr first = RoundUpTo(reinterpret_cast<uptr>(begin), kUnit);
  const uptr past = RoundDownTo(reinterpret_cast<uptr>(end), kUnit);
  if (first < past)
    internal_madvise(first, past - first, MADV_DONTNEED);
}

void ShadowRelease(uptr begin, uptr end) {
  while (begin < end) {
    const uptr next = Min((begin | (kLeafBytes - 1)) + 1, end);
    const uptr base = ShadowLeaf(begin);
    if (base && next - begin == kLeafBytes) {
      internal_madvise(base, RoundUpTo(kLeafShadowBytes, kUnit), MADV_DONTNEED);
    } else if (base) {
      AtomicCell *cell = CellInLeaf(base, begin);
      AtomicCell *past = CellInLeaf(base, next - kGranule) + 1;
      GiveBack(cell, past);
      GiveBack(LocsOf(cell), LocsOf(past));
      GiveBack(PageInLeaf(base, begin), PageInLeaf(base, next - 1) + 1);
      auto *populated =
          reinterpret_cast<atomic_uint8_t *>(base + kPopulatedInLeaf);
      for (uptr at = RoundUpTo(begin, kUnit); at + kUnit <= next; at += kUnit)
        if (atomic_load(&populated[at % kLeafBytes / kUnit],
                        memory_order_relaxed))
          atomic_store(&populated[at % kLeafBytes / kUnit], 0,
                       memory_order_relaxed);
    }
    begin = next;
  }
}

void ShadowReset() {
  for (uptr i = 0; i < mapped_leaves.size(); i++) {
    uptr leaf = mapped_leaves[i];
    uptr base = atomic_load(&shadow_leaves[leaf], memory_order_relaxed);
    atomic_store(&shadow_leaves[leaf], 0, memory_order_relaxed);
    UnmapOrDie(reinterpret_cast<void *>(base), kLeafShadowBytes);
  }
  mapped_leaves.clear();
}

uptr ShadowNumLeaves() {
  SpinMutexLock lock(&leaf_mutex);
  return mapped_leaves.size();
}

uptr ShadowLeafAddress(uptr i) {
  SpinMutexLock lock(&leaf_mutex);
  return mapped_leaves[i] << kLeafBits;
}

uptr ShadowMappedBytes() { return ShadowNumLeaves() * kLeafShadowBytes; }

}  // namespace __atsan
