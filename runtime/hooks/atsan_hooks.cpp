//===-- atsan_hooks.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks that the compiler pass calls for plain accesses of 1, 2, 4 and 8
// bytes, behind its inlined test of __atsan_gate. Each first asks whether the
// transaction has recorded the same access already, or is one outside regions
// that can never be on a cycle. These paths have no call and no push
// (test/runtime/hot_path.test disassembles them). The rest happens in a
// function that is reached by a tail call, so that its return address and its
// saved frame pointer are still those of the instrumented code.
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_hook.h"

using namespace __atsan;

namespace {

// The mask of an access's bytes in its granule. It exceeds kWhole if the access
// straddles two granules, which one of kGranule bytes is known not to do.
template <uptr kSize>
ALWAYS_INLINE u32 BytesAt(uptr addr) {
  return kSize == kGranule ? kWhole : ((1u << kSize) - 1) << (addr % kGranule);
}

template <uptr kSize, AccessKind kKind>
NOINLINE void ReportAligned(uptr addr, uptr pc, uptr fp) {
  ReportAccess(addr, kSize, kKind, {pc, fp});
}

// --- Recording. --------------------------------------------------------------

// Rare ways are reached by tail calls with the same parameters, of which `leaf`
// and `thr` are what the hook has found already.

// Records an access that needs edges, or a list. `loc` is its location.
template <uptr kSize, AccessKind kKind>
NOINLINE void AnalyseAligned(void *p, uptr loc, Thread *thr) {
  AccessPoint at = ATSAN_CALLER_POINT();
  thr->location_cache->last_point = at;
  ScopedInRuntime in_runtime(thr);
  const uptr addr = reinterpret_cast<uptr>(p);
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  if (RecordInPageOfCells(&thr->checker, addr, BytesAt<kSize>(addr), kIsWrite,
                          loc))
    return;
  CheckerAccessInRegion(&thr->checker, addr, kSize, kKind, at, loc);
}

NOINLINE void DeliverSignals(void *, uptr, Thread *thr) { SignalsDeliver(thr); }

// Goes on with an access that is in the runtime, and at work in its page.
template <uptr kSize, AccessKind kKind>
NOINLINE void GoOnAtWork(void *p, uptr loc, Thread *thr) {
  uptr addr = reinterpret_cast<uptr>(p);
  bool done = RecordAtWork(&thr->checker, addr, BytesAt<kSize>(addr),
                           kKind == AccessKind::kWrite, loc);
  if (UNLIKELY(!LeaveRuntimeQuickly(thr)) && done) [[clang::musttail]]
    return DeliverSignals(p, loc, thr);
  if (!done) [[clang::musttail]]
    return AnalyseAligned<kSize, kKind>(p, loc, thr);
}

template <uptr kSize, AccessKind kKind>
ALWAYS_INLINE Quickly RecordAt(const Thread *thr, uptr addr, uptr leaf,
                               LocId loc) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  u32 bytes = BytesAt<kSize>(addr);
  // Hides the variable number from the optimizer, so that what is made of it is
  // made later, in its register.
  if (kSize < kGranule)
    asm("" : "+r"(bytes));
  return RecordAlone<kIsWrite>(&thr->checker, addr, leaf, bytes, loc);
}

// Records an access in any function. kIsLogged: other threads read the cell,
// too, and log that.
template <uptr kSize, AccessKind kKind, bool kIsLogged>
NOINLINE void RecordFar(void *p, uptr leaf, Thread *thr) {
  uptr addr = reinterpret_cast<uptr>(p);
  AccessPoint at = ATSAN_CALLER_POINT();
  if (RecordsInRegion(thr)) {
    LocId loc = FindLocation(thr, at, kKind, kSize, GET_CURRENT_FRAME());
    if (LIKELY(loc)) {
      EnterRuntime(thr);
      bool done =
          kIsLogged && LogRead(&thr->checker, addr, BytesAt<kSize>(addr), loc);
      Quickly how = done ? Quickly::kRecorded
                         : RecordAt<kSize, kKind>(thr, addr, leaf, loc);
      if (how == Quickly::kAtWork) [[clang::musttail]]
        return GoOnAtWork<kSize, kKind>(p, loc, thr);
      LeaveRuntime(thr);
      if (LIKELY(how == Quickly::kRecorded))
        return;
    }
  }
  return ReportAligned<kSize, kKind>(addr, at.pc, at.fp);
}

// Records nearly every access that is not known yet: it needs no frame, and no
// register that it would have to save.
template <uptr kSize, AccessKind kKind>
NOINLINE void RecordAligned(void *p, uptr leaf, Thread *thr) {
  AccessPoint at = ATSAN_HOOK_POINT();
  LocId loc;
  if (UNLIKELY(thr->pauses) ||
      UNLIKELY(!FindLocationNear(thr, at, StackPointer, &loc)))
      [[clang::musttail]]
    return RecordFar<kSize, kKind, /*kIsLogged=*/false>(p, leaf, thr);
  EnterRuntimeQuickly(thr);
  Quickly how =
      RecordAt<kSize, kKind>(thr, reinterpret_cast<uptr>(p), leaf, loc);
  if (UNLIKELY(how == Quickly::kAtWork)) [[clang::musttail]]
    return GoOnAtWork<kSize, kKind>(p, loc, thr);
  bool nothing_waits = LeaveRuntimeQuickly(thr);
  if (UNLIKELY(how != Quickly::kRecorded)) [[clang::musttail]]
    return AnalyseAligned<kSize, kKind>(p, loc, thr);
  if (UNLIKELY(!nothing_waits)) [[clang::musttail]]
    return DeliverSignals(p, leaf, thr);
}

// Takes an access to what may be a list: what several threads read in open
// regions is found there again and again.
template <uptr kSize, AccessKind kKind>
NOINLINE void AccessInList(void *p, uptr leaf, Thread *thr) {
  uptr addr = reinterpret_cast<uptr>(p);
  AtomicCell *cell = CellInLeaf(leaf, addr);
  Cell c = atomic_load(cell, memory_order_acquire);
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  if (LIKELY(IsDetail(c)) &&
      LIKELY(CoversInList<kIsWrite>(cell, c, thr->checker.self,
                                    BytesAt<kSize>(addr))))
    return;
  [[clang::musttail]] return RecordAligned<kSize, kKind>(p, leaf, thr);
}

// Logs a read of a logged cell that the transaction has not read yet. Needs no
// frame either.
template <uptr kSize>
NOINLINE void LogAligned(void *p, uptr leaf, Thread *thr) {
  AccessPoint at = ATSAN_HOOK_POINT();
  LocId loc;
  if (UNLIKELY(thr->pauses) ||
      UNLIKELY(!FindLocationNear(thr, at, StackPointer, &loc)))
      [[clang::musttail]]
    return RecordFar<kSize, AccessKind::kRead, /*kIsLogged=*/true>(p, leaf,
                                                                   thr);
  EnterRuntimeQuickly(thr);
  const uptr addr = reinterpret_cast<uptr>(p);
  u32 bytes = BytesAt<kSize>(addr);
  if (kSize < kGranule)
    asm("" : "+r"(bytes));
  const bool done = LogReadAgain(&thr->checker, addr, leaf, bytes, loc);
  const bool nothing_waits = LeaveRuntimeQuickly(thr);
  if (UNLIKELY(!done)) [[clang::musttail]]
    return RecordFar<kSize, AccessKind::kRead, /*kIsLogged=*/true>(p, leaf,
                                                                   thr);
  if (UNLIKELY(!nothing_waits)) [[clang::musttail]]
    return DeliverSignals(p, leaf, thr);
}

// Takes a read of what is logged most often, if it is a list.
template <uptr kSize>
NOINLINE void ReadInLog(void *p, uptr leaf, Thread *thr) {
  const uptr addr = reinterpret_cast<uptr>(p);
  const AtomicCell *cell = CellInLeaf(leaf, addr);
  const Cell c = atomic_load(cell, memory_order_acquire);
  if (UNLIKELY(!IsLogged(c))) [[clang::musttail]]
    return AccessInList<kSize, AccessKind::kRead>(p, leaf, thr);
  if (LIKELY(CoversInLog(*thr->checker.work, cell, c, thr->checker.self,
                         BytesAt<kSize>(addr))))
    return;
  [[clang::musttail]] return LogAligned<kSize>(p, leaf, thr);
}

// Reports an access of an observed thread, or of none; or one that straddles
// granules, although the code has promised that none does.
template <uptr kSize, AccessKind kKind>
NOINLINE void AccessSlowly(void *p, uptr, Thread *) {
  uptr addr = reinterpret_cast<uptr>(p);
  AccessPoint at = ATSAN_CALLER_POINT();
  ReportAligned<kSize, kKind>(addr, at.pc, at.fp);
  if (kKind == AccessKind::kWrite && kSize == sizeof(uptr))
    ReportPointers(addr, kSize, at);
  // The thread can be quick again if the observers have gone.
  SetCurrentThread(cur_thread);
}

// Takes an access without a leaf of the shadow: the first one of a region in
// many addresses, or one outside regions, which code that runs seldom reports
// without a look at the gate.
template <uptr kSize, AccessKind kKind>
NOINLINE void AccessWithoutLeaf(void *p, uptr leaf, Thread *thr) {
  if (!GateIsOpen())
    return;
  uptr addr = reinterpret_cast<uptr>(p);
  u32 bytes = BytesAt<kSize>(addr);
  if (UNLIKELY(bytes > kWhole || addr % kGranule + kSize > kGranule))
      [[clang::musttail]]
    return AccessSlowly<kSize, kKind>(p, leaf, thr);
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  if (IsOfNoConsequence<kIsWrite>(thr->checker, kEmptyCell, bytes))
    return;
  AccessPoint at = ATSAN_CALLER_POINT();
  ReportAligned<kSize, kKind>(addr, at.pc, at.fp);
}

// Tests one bit only: AccessInList sorts out what is no list.
ALWAYS_INLINE bool MayBeList(Cell c) { return c & kDetailMode; }

// All tests are sound without a lock: see CoversRead and IsLive. `leaf` and
// `thr` are not passed by callers: they make the tail calls possible.
template <uptr kSize, AccessKind kKind>
ALWAYS_INLINE void AlignedAccess(void *p, uptr leaf, Thread *thr) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  uptr addr = reinterpret_cast<uptr>(p);
  thr = quick_thread;
  // Before there is a shadow, there is no thread: the loader may call a malloc
  // that is instrumented.
  if (UNLIKELY(!thr)) [[clang::musttail]]
    return AccessSlowly<kSize, kKind>(p, leaf, thr);
  leaf = ShadowLeaf(addr);
  if (UNLIKELY(!leaf)) [[clang::musttail]]
    return AccessWithoutLeaf<kSize, kKind>(p, leaf, thr);
  CheckerThread &self = thr->checker;
  Cell c = atomic_load(
      kSize == kGranule ? CellAt(leaf, addr) : CellInLeaf(leaf, addr),
      memory_order_acquire);
  if (kSize == kGranule) {
    if (LIKELY((c ^ self.self) == Whole<kKind>(0)))
      ATSAN_RETURN_AT_ONCE();
    if (!kIsWrite && (c ^ self.self) == WholeWritten(0))
      return;
    if (UNLIKELY(addr % kGranule)) [[clang::musttail]]
      return AccessSlowly<kSize, kKind>(p, leaf, thr);
  }
  if (kSize == kGranule && MayBeList(c)) {
    if constexpr (!kIsWrite) [[clang::musttail]]
      return ReadInLog<kSize>(p, leaf, thr);
    [[clang::musttail]] return AccessInList<kSize, kKind>(p, leaf, thr);
  }
  u32 bytes = BytesAt<kSize>(addr);
  // A whole granule that was written has only one word, which is tested above.
  if (!(kIsWrite && kSize == kGranule) && Covers<kIsWrite>(c, self.self, bytes))
    return;
  if (UNLIKELY(bytes > kWhole)) [[clang::musttail]]
    return AccessSlowly<kSize, kKind>(p, leaf, thr);
  if (kSize < kGranule && MayBeList(c)) {
    if constexpr (!kIsWrite) [[clang::musttail]]
      return ReadInLog<kSize>(p, leaf, thr);
    [[clang::musttail]] return AccessInList<kSize, kKind>(p, leaf, thr);
  }
  if (IsOfNoConsequence<kIsWrite>(self, c, bytes))
    return;
  [[clang::musttail]] return RecordAligned<kSize, kKind>(p, leaf, thr);
}

}  // namespace

// Instrumented code calls these hooks with one argument.
#define ATSAN_ALIGNED_HOOKS(size)                                     \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read##size(   \
      void *addr, uptr unset, Thread *also_unset) {                   \
    AlignedAccess<size, AccessKind::kRead>(addr, unset, also_unset);  \
  }                                                                   \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write##size(  \
      void *addr, uptr unset, Thread *also_unset) {                   \
    AlignedAccess<size, AccessKind::kWrite>(addr, unset, also_unset); \
  }
ATSAN_ALIGNED_HOOKS(1)
ATSAN_ALIGNED_HOOKS(2)
ATSAN_ALIGNED_HOOKS(4)
ATSAN_ALIGNED_HOOKS(8)

extern "C" {

// Whether the order of the thread's next accesses among themselves does not
// matter: they are of one transaction, or nobody observes them.
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_in_region() {
  Thread *thr = cur_thread;
  return !thr || thr->checker.active;
}

}  // extern "C"
