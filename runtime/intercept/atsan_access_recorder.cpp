//===-- atsan_access_recorder.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What functions of libraries access, told as hooks tell it.
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_short_range.h"
#include "runtime/intercept/atsan_interceptors.h"

namespace __atsan {

// What a library does meanwhile may not count (ScopedInRuntime): what is told
// of it does.
template <AccessKind kKind>
static NOINLINE void Tell(Thread *thr, uptr addr, uptr size,
                          const AccessPoint &at) {
  if (UNLIKELY(!GateIsOpen()))
    return;
  if (RecordRange<kKind>(addr, size, at))
    return;
  ScopedInRuntime in_runtime(thr);
  AccessHappens(thr, addr, size, kKind, at);
}

void AccessRecorder::Read(const void *addr, uptr size) const {
  constexpr AccessKind kKind = AccessKind::kRead;
  if (UNLIKELY(scheduled_) && thr_ && size)
    NoteLibraryAccess(scheduled_, place_, reinterpret_cast<uptr>(addr), size,
                      /*is_write=*/false);
  if (thr_ && size &&
      !IsShortAndKnown<kKind>(reinterpret_cast<uptr>(addr), size))
    Tell<kKind>(thr_, reinterpret_cast<uptr>(addr), size, at_);
}

void AccessRecorder::Write(const void *addr, uptr size) const {
  constexpr AccessKind kKind = AccessKind::kWrite;
  if (UNLIKELY(scheduled_) && thr_ && size)
    NoteLibraryAccess(scheduled_, place_, reinterpret_cast<uptr>(addr), size,
                      /*is_write=*/true);
  if (thr_ && size &&
      !IsShortAndKnown<kKind>(reinterpret_cast<uptr>(addr), size))
    Tell<kKind>(thr_, reinterpret_cast<uptr>(addr), size, at_);
}

template <AccessKind kKind, uptr kSize>
void AccessRecorder::AtOnePlace(uptr addr, LocId *loc) const {
  constexpr bool kIsWrite = kKind == AccessKind::kWrite;
  if (IsShortAndKnown<kKind>(addr, kSize))
    return;
  if (LIKELY(quick_thread == thr_) && RecordsInRegion(thr_) &&
      addr % kSize == 0) {
    if (!*loc)
      *loc = FindLocation</*kAny=*/true>(thr_, at_, kKind, kSize,
                                         GET_CURRENT_FRAME());
    ScopedInRuntime in_runtime(thr_);
    if (LIKELY(*loc) &&
        LIKELY(RecordPart<kIsWrite>(&thr_->checker, addr, kSize, *loc)))
      return;
  }
  Tell<kKind>(thr_, addr, kSize, at_);
}

#define ATSAN_AT_ONE_PLACE(kind, size)                              \
  template void AccessRecorder::AtOnePlace<AccessKind::kind, size>( \
      uptr addr, LocId * loc) const
ATSAN_AT_ONE_PLACE(kRead, 4);
ATSAN_AT_ONE_PLACE(kRead, 8);
ATSAN_AT_ONE_PLACE(kWrite, 4);
ATSAN_AT_ONE_PLACE(kWrite, 8);

}  // namespace __atsan
