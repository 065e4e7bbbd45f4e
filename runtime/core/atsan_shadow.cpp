//===-- atsan_shadow.cpp -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of shadow leaves. The table itself is 64 MiB of reserved, untouched
// address space; a leaf 32 MiB, of which only touched pages become memory.
//
//===----------------------------------------------------------------------===//
#include "atsan_shadow.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

constexpr uptr kLeafShadowBytes =
    kPagesInLeaf + kLeafBytes / kShadowPage * sizeof(Page);

atomic_uintptr_t *shadow_leaves;
static StaticSpinMutex leaf_mutex;
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

void ShadowLockForFork() { leaf_mutex.Lock(); }
void ShadowUnlockAfterFork() { leaf_mutex.Unlock(); }

}  // namespace __atsan
