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
  if (RecordRange<kKind>(addr, size, at))
    return;
  ScopedInRuntime in_runtime(thr);
  AccessHappens(thr, addr, size, kKind, at);
}

void AccessRecorder::Read(const void *addr, uptr size) const {
  constexpr AccessKind kKind = AccessKind::kRead;
  if (thr_ && size &&
      !IsShortAndKnown<kKind>(reinterpret_cast<uptr>(addr), size))
    Tell<kKind>(thr_, reinterpret_cast<uptr>(addr), size, at_);
}

void AccessRecorder::Write(const void *addr, uptr size) const {
  constexpr AccessKind kKind = AccessKind::kWrite;
  if (thr_ && size &&
      !IsShortAndKnown<kKind>(reinterpret_cast<uptr>(addr), size))
    Tell<kKind>(thr_, reinterpret_cast<uptr>(addr), size, at_);
}

}  // namespace __atsan
