//===-- atsan_run_hooks.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks for runs: `count` accesses to a whole granule each, one after the
// other.
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_hook.h"

using namespace __atsan;

extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read8_run(void *first,
                                                                u32 count);
extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write8_run(void *first,
                                                                 u32 count);
extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read_range(void *addr,
                                                                 uptr size);
extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write_range(void *addr,
                                                                  uptr size);

namespace {

template <AccessKind kKind>
NOINLINE void RunSlowly(void *first, u32 count) {
  uptr addr = reinterpret_cast<uptr>(first);
  AccessPoint at = ATSAN_CALLER_POINT();
  for (u32 i = 0; i < count; i++, addr += kGranule) {
    ReportAccess(addr, kGranule, kKind, at);
    if (kKind == AccessKind::kWrite)
      ReportPointers(addr, kGranule, at);
  }
  SetCurrentThread(cur_thread);
}

template <AccessKind kKind>
NOINLINE void RecordRun(void *first, u32 count) {
  Thread *thr = cur_thread;
  if (RecordsInRegion(thr)) {
    AccessPoint at = ATSAN_CALLER_POINT();
    LocId loc = FindLocation(thr, at, kKind, kGranule, GET_CURRENT_FRAME());
    if (LIKELY(loc)) {
      ScopedInRuntime in_runtime(thr);
      CheckerAccessStrided(&thr->checker, reinterpret_cast<uptr>(first),
                           kGranule, kGranule, count, kKind, at, loc);
      return;
    }
  }
  [[clang::musttail]] return RunSlowly<kKind>(first, count);
}

// Looks for the granules of a run in lists, as AccessInList does for one. They
// are all in one leaf of the shadow.
template <AccessKind kKind>
NOINLINE void RunInList(void *first, u32 count) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  uptr addr = reinterpret_cast<uptr>(first);
  Cell self = cur_thread->checker.self;
  AtomicCell *cell = CellInLeaf(ShadowLeaf(addr), addr);
  for (; count; cell++, addr += kGranule, count--) {
    Cell c = atomic_load(cell, memory_order_acquire);
    if (!Covers<kIsWrite>(c, self, kWhole) &&
        !(IsDetail(c) && CoversInList<kIsWrite>(cell, c, self, kWhole)))
        [[clang::musttail]]
      return RecordRun<kKind>(reinterpret_cast<void *>(addr), count);
  }
}

// Tests each granule of a run as AlignedAccess does; other functions record
// what is not known.
template <AccessKind kKind>
ALWAYS_INLINE void AlignedRun(void *first, u32 count) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  uptr addr = reinterpret_cast<uptr>(first);
  Thread *thr = quick_thread;
  if (UNLIKELY(!thr || addr % kGranule)) [[clang::musttail]]
    return RunSlowly<kKind>(first, count);
  CheckerThread &self = thr->checker;
  uptr leaf = ShadowLeaf(addr);
  bool is_in_leaf = addr % kLeafBytes + count * kGranule <= kLeafBytes;
  if (UNLIKELY(!leaf || !is_in_leaf)) {
    if (is_in_leaf && IsOfNoConsequence<kIsWrite>(self, kEmptyCell, kWhole))
      return;
    [[clang::musttail]] return RecordRun<kKind>(first, count);
  }
  AtomicCell *cell = CellInLeaf(leaf, addr);
  do {
    Cell c = atomic_load(cell++, memory_order_acquire);
    // Not computed from the number of the iteration, for which clang 22 needs
    // one register more than a function without a push has.
    asm("" : "+r"(cell));
    if (!Covers<kIsWrite>(c, self.self, kWhole)) {
      if (IsDetail(c)) [[clang::musttail]]
        return RunInList<kKind>(reinterpret_cast<void *>(addr), count);
      if (!IsOfNoConsequence<kIsWrite>(self, c, kWhole)) [[clang::musttail]]
        return RecordRun<kKind>(reinterpret_cast<void *>(addr), count);
    }
    addr += kGranule;
  } while (--count);
}

template <u32 kCount>
ALWAYS_INLINE bool AllAre(const AtomicCell *cell, Cell wanted) {
#pragma clang loop unroll(full)
  for (u32 i = 0; i < kCount; i++)
    if (atomic_load(cell + i, memory_order_acquire) != wanted)
      return false;
  return true;
}

// Tests whether a transaction has recorded all of kCount granules as one kind
// of access, as most runs and copies are short. If not, kSlowly goes on.
// `unset` is not passed: it makes the tail call possible.
template <AccessKind kKind, u32 kCount, class T, void (*kSlowly)(void *, T),
          T kArgument>
ALWAYS_INLINE void ShortRun(void *first, T unset) {
  static_assert(kCount <= 1 + kLeafPadding / sizeof(Cell));
  uptr addr = reinterpret_cast<uptr>(first);
  Thread *thr = quick_thread;
  if (UNLIKELY(!thr)) [[clang::musttail]]
    return kSlowly(first, kArgument);
  const uptr leaf = ShadowLeaf(addr);
  if (LIKELY(leaf)) {
    const Cell self = thr->checker.self;
    const AtomicCell *cell = CellAt(leaf, addr);
    if (LIKELY(AllAre<kCount>(cell, Whole<kKind>(self))))
      ATSAN_RETURN_AT_ONCE();
    if (kKind == AccessKind::kRead && AllAre<kCount>(cell, WholeWritten(self)))
      return;
  }
  [[clang::musttail]] return kSlowly(first, kArgument);
}

}  // namespace

// `count` neighbouring accesses of 8 bytes each, at least one.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read8_run(void *first,
                                                                u32 count) {
  AlignedRun<AccessKind::kRead>(first, count);
}

extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write8_run(void *first,
                                                                 u32 count) {
  AlignedRun<AccessKind::kWrite>(first, count);
}

// Hooks with the argument in the name.
#define ATSAN_SHORT_HOOK(kind, T, name, argument, count)                    \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void name##argument(void *first, \
                                                               T unset) {   \
    ShortRun<AccessKind::kind, count, T, name, argument>(first, unset);     \
  }

ATSAN_SHORT_HOOK(kRead, u32, __atsan_read8_run, 2, 2)
ATSAN_SHORT_HOOK(kRead, u32, __atsan_read8_run, 3, 3)
ATSAN_SHORT_HOOK(kRead, u32, __atsan_read8_run, 4, 4)
ATSAN_SHORT_HOOK(kWrite, u32, __atsan_write8_run, 2, 2)
ATSAN_SHORT_HOOK(kWrite, u32, __atsan_write8_run, 3, 3)
ATSAN_SHORT_HOOK(kWrite, u32, __atsan_write8_run, 4, 4)

// One access of so many bytes, such as the copy of an object.
ATSAN_SHORT_HOOK(kRead, uptr, __atsan_read_range, 16, 2)
ATSAN_SHORT_HOOK(kRead, uptr, __atsan_read_range, 24, 3)
ATSAN_SHORT_HOOK(kRead, uptr, __atsan_read_range, 32, 4)
ATSAN_SHORT_HOOK(kWrite, uptr, __atsan_write_range, 16, 2)
ATSAN_SHORT_HOOK(kWrite, uptr, __atsan_write_range, 24, 3)
ATSAN_SHORT_HOOK(kWrite, uptr, __atsan_write_range, 32, 4)
