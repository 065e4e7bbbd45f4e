//===-- atsan_hooks.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks that the compiler pass calls for plain accesses, all behind its
// inlined test of __atsan_gate. A hook for 1 to 8 bytes first asks whether the
// transaction has recorded the same access already, or is one outside regions
// that can never be on a cycle. These paths have no call and no push
// (test/runtime/hot_path.test disassembles them). The rest happens in a
// function that is reached by a tail call, so that its return address and its
// saved frame pointer are still those of the instrumented code.
//
//===----------------------------------------------------------------------===//
#include "atsan_location.h"
#include "atsan_observer.h"
#include "atsan_thread.h"
#include "core/atsan_quick.h"
#include "core/atsan_range.h"
#include "interception/interception.h"
#include "report/atsan_held.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __atsan;

DECLARE_REAL(void *, memcpy, void *dst, const void *src, SIZE_T size)
DECLARE_REAL(void *, memmove, void *dst, const void *src, SIZE_T size)
DECLARE_REAL(void *, memset, void *dst, int value, SIZE_T size)

extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read8_run(void *first,
                                                                u32 count);
extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write8_run(void *first,
                                                                 u32 count);

namespace {

ALWAYS_INLINE void ReportAccess(uptr addr, uptr size, AccessKind kind,
                                const AccessPoint &at) {
  Thread *thr = CurrentAccessingThread();
  if (!thr)
    return;
  ReportHeldViolation(thr);
  ScopedInRuntime in_runtime(thr);
  AccessHappens(thr, addr, size, kind, at);
}

// After the write.
ALWAYS_INLINE void ReportPointers(uptr addr, uptr size, const AccessPoint &at) {
  if (LIKELY(!IsObserved()))
    return;
  Thread *thr = CurrentAccessingThread();
  if (!thr)
    return;
  ScopedInRuntime in_runtime(thr);
  ObservePointers(thr, addr, size, at);
}

ALWAYS_INLINE void ReportStrided(uptr first, uptr size, sptr stride, uptr count,
                                 AccessKind kind, const AccessPoint &at) {
  Thread *thr = CurrentAccessingThread();
  if (!thr)
    return;
  ReportHeldViolation(thr);
  ScopedInRuntime in_runtime(thr);
  if (IsObserved())
    ObserveAccess(thr, first, size, stride, count, kind, at);
  CheckerAccessStrided(&thr->checker, first, size, stride, count, kind, at);
}

ALWAYS_INLINE void ReportRows(uptr first, uptr size, uptr width, sptr stride,
                              uptr rows, AccessKind kind,
                              const AccessPoint &at) {
  Thread *thr = CurrentAccessingThread();
  if (!thr)
    return;
  ReportHeldViolation(thr);
  ScopedInRuntime in_runtime(thr);
  for (uptr i = 0; IsObserved() && i < width; i++)
    ObserveAccess(thr, first + i * size, size, stride, rows, kind, at);
  CheckerAccessRows(&thr->checker, first, size, width, stride, rows, kind, at);
}

// Of the granule, as a mask; more than that if it straddles two, which one of
// kGranule bytes is known not to.
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

// The code that called the hook, for functions without a frame: nothing has
// changed its frame pointer yet (test/runtime/hot_path.test).
#define ATSAN_HOOK_POINT()                                                     \
  AccessPoint {                                                                \
    reinterpret_cast<uptr>(__builtin_return_address(0)), CallersFramePointer() \
  }
ALWAYS_INLINE uptr CallersFramePointer() {
  uptr fp;
  asm volatile("movq %%rbp, %0" : "=r"(fp));
  return fp;
}
ALWAYS_INLINE uptr StackPointer() {
  uptr sp;
  asm("movq %%rsp, %0" : "=r"(sp));
  return sp;
}

// For one that needs edges, or a list. loc: its location.
template <uptr kSize, AccessKind kKind>
NOINLINE void AnalyseAligned(void *p, uptr loc, Thread *thr) {
  AccessPoint at = ATSAN_CALLER_POINT();
  thr->location_cache->last_point = at;
  ScopedInRuntime in_runtime(thr);
  CheckerAccessInRegion(&thr->checker, reinterpret_cast<uptr>(p), kSize, kKind,
                        at, loc);
}

NOINLINE void DeliverSignals(void *, uptr, Thread *thr) { SignalsDeliver(thr); }

// For one that is in the runtime, and at work in its page.
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

// May the calling thread record an access in its region right now?
ALWAYS_INLINE bool RecordsInRegion(const Thread *thr) {
  return LIKELY(thr->checker.active && !thr->pauses);
}

template <uptr kSize, AccessKind kKind>
ALWAYS_INLINE Quickly RecordAt(const Thread *thr, uptr addr, uptr leaf,
                               LocId loc) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  u32 bytes = BytesAt<kSize>(addr);
  // What is made of a variable number is made later, in its register.
  if (kSize < kGranule)
    asm("" : "+r"(bytes));
  return RecordAlone<kIsWrite>(&thr->checker, addr, leaf, bytes, loc);
}

// Whatever function the access is in. kIsLogged: other threads read it, too,
// and log that.
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

// The way of nearly every access that is recorded: it needs no frame, and no
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

// The same for a read of a logged cell.
template <uptr kSize>
NOINLINE void LogAligned(void *p, uptr leaf, Thread *thr) {
  uptr addr = reinterpret_cast<uptr>(p);
  AccessPoint at = ATSAN_HOOK_POINT();
  LocId loc;
  if (UNLIKELY(thr->pauses) ||
      UNLIKELY(!FindLocationNear(thr, at, StackPointer, &loc)))
      [[clang::musttail]]
    return RecordFar<kSize, AccessKind::kRead, /*kIsLogged=*/true>(p, leaf,
                                                                   thr);
  EnterRuntimeQuickly(thr);
  bool done = LogReadAgain(&thr->checker, addr, CellInLeaf(leaf, addr),
                           BytesAt<kSize>(addr), loc);
  bool nothing_waits = LeaveRuntimeQuickly(thr);
  if (UNLIKELY(!done)) [[clang::musttail]]
    return RecordFar<kSize, AccessKind::kRead, /*kIsLogged=*/true>(p, leaf,
                                                                   thr);
  if (UNLIKELY(!nothing_waits)) [[clang::musttail]]
    return DeliverSignals(p, leaf, thr);
}

// What several threads read in open regions is found here again and again.
template <uptr kSize, AccessKind kKind>
NOINLINE void AccessInList(void *p, uptr leaf, Thread *thr) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  uptr addr = reinterpret_cast<uptr>(p);
  AtomicCell *cell = CellInLeaf(leaf, addr);
  Cell c = atomic_load(cell, memory_order_acquire);
  u32 bytes = BytesAt<kSize>(addr);
  if (IsDetail(c) && CoversInList<kIsWrite>(cell, c, thr->checker.self, bytes))
    return;
  if (!kIsWrite && IsLogged(c)) [[clang::musttail]]
    return LogAligned<kSize>(p, leaf, thr);
  [[clang::musttail]] return RecordAligned<kSize, kKind>(p, leaf, thr);
}

// An observed thread, or none. Or the code has broken its promise that the
// access is of one granule.
template <uptr kSize, AccessKind kKind>
NOINLINE void AccessSlowly(void *p, uptr, Thread *) {
  uptr addr = reinterpret_cast<uptr>(p);
  AccessPoint at = ATSAN_CALLER_POINT();
  ReportAligned<kSize, kKind>(addr, at.pc, at.fp);
  if (kKind == AccessKind::kWrite && kSize == sizeof(uptr))
    ReportPointers(addr, kSize, at);
  // Observers may have gone.
  SetCurrentThread(cur_thread);
}

// Outside regions, reached by nothing, and nothing live to conflict with. At
// times the thread has to look at the gate: the general way does that, too.
template <bool kIsWrite>
ALWAYS_INLINE bool IsOfNoConsequence(CheckerThread &self, Cell c, u32 bytes) {
  return !self.active && !IsReached(&self) &&
         (!c || (IsSingle(c) && (!ConflictingBytes(c, bytes, kIsWrite) ||
                                 !IsLiveNow(TxnOf(c))))) &&
         MayGoOnOutside(&self);
}

// The first one of a region in many addresses, or one outside regions.
template <uptr kSize, AccessKind kKind>
NOINLINE void AccessWithoutLeaf(void *p, uptr leaf, Thread *thr) {
  uptr addr = reinterpret_cast<uptr>(p);
  u32 bytes = BytesAt<kSize>(addr);
  if (UNLIKELY(bytes > kWhole || addr % kGranule + kSize > kGranule))
      [[clang::musttail]]
    return AccessSlowly<kSize, kKind>(p, leaf, thr);
  if (IsOfNoConsequence < kKind ==
      AccessKind::kWrite > (thr->checker, kEmptyCell, bytes))
    return;
  AccessPoint at = ATSAN_CALLER_POINT();
  ReportAligned<kSize, kKind>(addr, at.pc, at.fp);
}

// The word that a granule has most often when the access is recorded already.
template <AccessKind kKind>
ALWAYS_INLINE Cell Whole(Cell self) {
  return kKind == AccessKind::kWrite ? WholeWritten(self) : WholeRead(self);
}

// One bit tells; what is no list is sorted out there.
ALWAYS_INLINE bool MayBeList(Cell c) { return c & kDetailMode; }

// That of an aligned address. Any other gets parts of two cells, which no cell
// is equal to.
ALWAYS_INLINE const AtomicCell *CellAt(uptr leaf, uptr addr) {
  return reinterpret_cast<const AtomicCell *>(leaf + addr % kLeafBytes);
}

// Returns here, and not by a jump to where the function returns anyway.
#define ATSAN_RETURN_AT_ONCE() \
  do {                         \
    asm volatile("");          \
    return;                    \
  } while (0)

// All tests are sound without a lock: see CoversRead and IsLive. `leaf` and
// `thr` are not passed: they make the tail calls possible.
template <uptr kSize, AccessKind kKind>
ALWAYS_INLINE void AlignedAccess(void *p, uptr leaf, Thread *thr) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  uptr addr = reinterpret_cast<uptr>(p);
  thr = quick_thread;
  leaf = ShadowLeaf(addr);
  if (UNLIKELY(!thr)) [[clang::musttail]]
    return AccessSlowly<kSize, kKind>(p, leaf, thr);
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
  u32 bytes = BytesAt<kSize>(addr);
  // Of a whole granule that was written there is only one word.
  if (!(kIsWrite && kSize == kGranule) && Covers<kIsWrite>(c, self.self, bytes))
    return;
  if (UNLIKELY(bytes > kWhole)) [[clang::musttail]]
    return AccessSlowly<kSize, kKind>(p, leaf, thr);
  if (MayBeList(c)) [[clang::musttail]]
    return AccessInList<kSize, kKind>(p, leaf, thr);
  if (IsOfNoConsequence<kIsWrite>(self, c, bytes))
    return;
  [[clang::musttail]] return RecordAligned<kSize, kKind>(p, leaf, thr);
}

// --- Runs: `count` accesses to a whole granule each, one after the other. ----

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
      CheckerAccessRunInRegion(&thr->checker, reinterpret_cast<uptr>(first),
                               count, kKind, at, loc);
      return;
    }
  }
  [[clang::musttail]] return RunSlowly<kKind>(first, count);
}

// As AccessInList, all in one leaf of the shadow.
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

// As AlignedAccess, as far as it goes; others do the rest.
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

// Most runs are short. `count` is not passed: it makes the tail call possible.
template <AccessKind kKind, u32 kCount>
ALWAYS_INLINE void ShortRun(void *first, u32 count) {
  static_assert(kCount <= 1 + kLeafPadding / sizeof(Cell));
  uptr addr = reinterpret_cast<uptr>(first);
  Thread *thr = quick_thread;
  uptr leaf = ShadowLeaf(addr);
  if (LIKELY(thr && leaf)) {
    const Cell self = thr->checker.self;
    const AtomicCell *cell = CellAt(leaf, addr);
    if (LIKELY(AllAre<kCount>(cell, Whole<kKind>(self))))
      ATSAN_RETURN_AT_ONCE();
    if (kKind == AccessKind::kRead && AllAre<kCount>(cell, WholeWritten(self)))
      return;
  }
  if (kKind == AccessKind::kWrite) [[clang::musttail]]
    return __atsan_write8_run(first, kCount);
  [[clang::musttail]] return __atsan_read8_run(first, kCount);
}

// --- Ranges, and loops that access one. --------------------------------------

// Most are short, and many known. All tests are sound without a lock, as above.
template <AccessKind kKind>
ALWAYS_INLINE bool IsShortAndKnown(uptr addr, uptr size) {
  const Thread *thr = quick_thread;
  const uptr leaf = ShadowLeaf(addr);
  return LIKELY(thr && leaf && size <= kShortRange) &&
         CoversShort < kKind ==
             AccessKind::kWrite >
                 (thr->checker.self, CellInLeaf(leaf, addr), addr, size);
}

// Does a loop access all of a range, upwards or downwards?
ALWAYS_INLINE bool IsSideBySide(uptr size, sptr stride) {
  return static_cast<uptr>(stride < 0 ? -stride : stride) == size;
}

// Of one granule. False: it is for the general way.
template <AccessKind kKind>
ALWAYS_INLINE bool RecordPart(const Thread *thr, uptr addr, uptr size,
                              LocId loc) {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  const CheckerThread *self = &thr->checker;
  const uptr leaf = ShadowLeaf(addr);
  if (UNLIKELY(!leaf))
    return false;
  const AtomicCell *cell = CellInLeaf(leaf, addr);
  const Cell c = atomic_load(cell, memory_order_acquire);
  const u32 bytes = ((1u << size) - 1) << addr % kGranule;
  if (Covers<kIsWrite>(c, self->self, bytes))
    return true;
  if (UNLIKELY(IsDetail(c)) &&
      (CoversInList<kIsWrite>(cell, c, self->self, bytes) ||
       (!kIsWrite && IsLogged(c) && LogRead(self, addr, bytes, loc))))
    return true;
  return RecordQuickly<kIsWrite>(self, addr, bytes, loc);
}

// Of a short range, granule by granule as if each were alone.
constexpr uptr kFewBytes = 4 * kGranule;
template <AccessKind kKind>
ALWAYS_INLINE bool RecordParts(const Thread *thr, uptr addr, uptr left,
                               LocId loc) {
  for (uptr part; left; left -= part, addr += part) {
    part = Min(left, kGranule - addr % kGranule);
    if (!RecordPart<kKind>(thr, addr, part, loc))
      return false;
  }
  return true;
}

template <AccessKind kKind>
NOINLINE void RangeSlowly(void *p, uptr size) {
  const uptr addr = reinterpret_cast<uptr>(p);
  AccessPoint at = ATSAN_CALLER_POINT();
  Thread *thr = quick_thread;
  if (size <= kFewBytes && thr && RecordsInRegion(thr)) {
    // In lists, too.
    if (IsKnown < kKind == AccessKind::kWrite > (&thr->checker, addr, size))
      return;
    ScopedInRuntime in_runtime(thr);
    LocId loc = InternLocation(&thr->checker, at, kKind, size);
    if (RecordParts<kKind>(thr, addr, size, loc))
      return;
  }
  ReportAccess(addr, size, kKind, at);
  if (kKind == AccessKind::kWrite)
    ReportPointers(addr, size, at);
}

template <AccessKind kKind>
NOINLINE void LoopSlowly(void *first, uptr size, sptr stride, uptr count) {
  const uptr addr = reinterpret_cast<uptr>(first);
  AccessPoint at = ATSAN_CALLER_POINT();
  ReportStrided(addr, size, stride, count, kKind, at);
  for (uptr i = 0; kKind == AccessKind::kWrite && IsObserved() && i < count;
       i++)
    ReportPointers(addr + i * stride, size, at);
}

constexpr uptr kFewRounds = 8;

template <AccessKind kKind>
NOINLINE void ShortLoop(void *first, uptr size, sptr stride, uptr count) {
  Thread *thr = quick_thread;
  if (thr && RecordsInRegion(thr)) {
    AccessPoint at = ATSAN_CALLER_POINT();
    if (LocId loc = FindLocation(thr, at, kKind, size, GET_CURRENT_FRAME())) {
      ScopedInRuntime in_runtime(thr);
      uptr addr = reinterpret_cast<uptr>(first);
      if (!IsSideBySide(size, stride)) {
        while (count && addr % kGranule + size <= kGranule &&
               RecordPart<kKind>(thr, addr, size, loc)) {
          addr += stride;
          count--;
        }
        if (!count)
          return;
        first = reinterpret_cast<void *>(addr);
      } else {
        const uptr bytes = size * count;
        if (stride < 0)
          addr -= bytes - size;
        if (RecordParts<kKind>(thr, addr, bytes, loc))
          return;
      }
    }
  }
  [[clang::musttail]] return LoopSlowly<kKind>(first, size, stride, count);
}

template <AccessKind kKind>
NOINLINE void LoopWithGaps(void *first, uptr size, sptr stride, uptr count) {
  if (UNLIKELY(count > kFewRounds)) [[clang::musttail]]
    return LoopSlowly<kKind>(first, size, stride, count);
  uptr addr = reinterpret_cast<uptr>(first);
  for (uptr i = 0; i < count; i++, addr += stride)
    if (!IsShortAndKnown<kKind>(addr, size)) [[clang::musttail]]
      return ShortLoop<kKind>(first, size, stride, count);
}

template <AccessKind kKind>
ALWAYS_INLINE void WholeLoop(void *first, uptr size, sptr stride, uptr count) {
  if (!IsSideBySide(size, stride)) [[clang::musttail]]
    return LoopWithGaps<kKind>(first, size, stride, count);
  const uptr bytes = size * count;
  const uptr addr = reinterpret_cast<uptr>(first);
  if (IsShortAndKnown<kKind>(stride < 0 ? addr + size - bytes : addr, bytes))
    return;
  if (bytes <= kFewBytes) [[clang::musttail]]
    return ShortLoop<kKind>(first, size, stride, count);
  [[clang::musttail]] return LoopSlowly<kKind>(first, size, stride, count);
}

}  // namespace

// What the code calls has one parameter.
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

// Neighbouring accesses of 8 bytes each, at least one.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read8_run(void *first,
                                                                u32 count) {
  AlignedRun<AccessKind::kRead>(first, count);
}

extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write8_run(void *first,
                                                                 u32 count) {
  AlignedRun<AccessKind::kWrite>(first, count);
}

// The same, so many. What the code calls has one parameter.
#define ATSAN_RUN_HOOKS(count)                                             \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read8_run##count(  \
      void *first, u32 unset) {                                            \
    ShortRun<AccessKind::kRead, count>(first, unset);                      \
  }                                                                        \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write8_run##count( \
      void *first, u32 unset) {                                            \
    ShortRun<AccessKind::kWrite, count>(first, unset);                     \
  }
ATSAN_RUN_HOOKS(2)
ATSAN_RUN_HOOKS(3)
ATSAN_RUN_HOOKS(4)

extern "C" {

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read_range(void *addr, uptr size) {
  // A read that would have happened on another way has no bytes.
  if (size && !IsShortAndKnown<AccessKind::kRead>(reinterpret_cast<uptr>(addr),
                                                  size)) [[clang::musttail]]
    return RangeSlowly<AccessKind::kRead>(addr, size);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write_range(void *addr, uptr size) {
  if (!IsShortAndKnown<AccessKind::kWrite>(reinterpret_cast<uptr>(addr), size))
      [[clang::musttail]]
    return RangeSlowly<AccessKind::kWrite>(addr, size);
}

// For a whole loop: `count` accesses, the first at `first`.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read_strided(void *first, uptr size,
                                                        sptr stride,
                                                        uptr count) {
  WholeLoop<AccessKind::kRead>(first, size, stride, count);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write_strided(void *first, uptr size,
                                                         sptr stride,
                                                         uptr count) {
  WholeLoop<AccessKind::kWrite>(first, size, stride, count);
}

// The same for a loop that makes `width` accesses to neighbouring memory in
// each iteration: the first ones begin at `first`.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_read_rows(void *first, uptr size,
                                                     uptr width, sptr stride,
                                                     uptr rows) {
  ReportRows(reinterpret_cast<uptr>(first), size, width, stride, rows,
             AccessKind::kRead, ATSAN_CALLER_POINT());
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_write_rows(void *first, uptr size,
                                                      uptr width, sptr stride,
                                                      uptr rows) {
  AccessPoint at = ATSAN_CALLER_POINT();
  uptr addr = reinterpret_cast<uptr>(first);
  ReportRows(addr, size, width, stride, rows, AccessKind::kWrite, at);
  for (uptr i = 0; IsObserved() && i < rows; i++)
    for (uptr j = 0; j < width; j++)
      ReportPointers(addr + i * stride + j * size, size, at);
}

// In place of memory intrinsics, so that the accesses are seen exactly once,
// whatever the code generator would have made of the intrinsic.
SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_memcpy(void *dst, const void *src,
                                                   uptr size) {
  if (UNLIKELY(__atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED))) {
    AccessPoint at = ATSAN_CALLER_POINT();
    ReportAccess(reinterpret_cast<uptr>(src), size, AccessKind::kRead, at);
    ReportAccess(reinterpret_cast<uptr>(dst), size, AccessKind::kWrite, at);
    if (IsObserved()) {
      REAL(memcpy)(dst, src, size);
      ReportPointers(reinterpret_cast<uptr>(dst), size, at);
      return dst;
    }
  }
  return LIKELY(REAL(memcpy)) ? REAL(memcpy)(dst, src, size)
                              : internal_memcpy(dst, src, size);
}

SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_memmove(void *dst, const void *src,
                                                    uptr size) {
  if (UNLIKELY(__atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED))) {
    AccessPoint at = ATSAN_CALLER_POINT();
    ReportAccess(reinterpret_cast<uptr>(src), size, AccessKind::kRead, at);
    ReportAccess(reinterpret_cast<uptr>(dst), size, AccessKind::kWrite, at);
    if (IsObserved()) {
      REAL(memmove)(dst, src, size);
      ReportPointers(reinterpret_cast<uptr>(dst), size, at);
      return dst;
    }
  }
  return LIKELY(REAL(memmove)) ? REAL(memmove)(dst, src, size)
                               : internal_memmove(dst, src, size);
}

SANITIZER_INTERFACE_ATTRIBUTE void *__atsan_memset(void *dst, int value,
                                                   uptr size) {
  if (UNLIKELY(__atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED)))
    ReportAccess(reinterpret_cast<uptr>(dst), size, AccessKind::kWrite,
                 ATSAN_CALLER_POINT());
  return LIKELY(REAL(memset)) ? REAL(memset)(dst, value, size)
                              : internal_memset(dst, value, size);
}

// Whether the order of the thread's next accesses among themselves is of no
// matter: they are of one transaction, or nobody observes them.
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_in_region() {
  Thread *thr = cur_thread;
  return !thr || thr->checker.active;
}

}  // extern "C"
