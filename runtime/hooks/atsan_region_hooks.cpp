//===-- atsan_region_hooks.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The marks of regions: those of the public C interface
// (sanitizer/atsan_interface.h), which are also emitted for ATSAN_ATOMIC
// functions. Nearly all take a way without a call or a push; the rest is
// reached by tail calls, as in atsan_hooks.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_hook.h"
#include "runtime/regions/atsan_region.h"
#include "runtime/regions/atsan_region_quick.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_steer.h"
#include "runtime/state/atsan_init.h"
#include "runtime/threads/atsan_thread_registry.h"

using namespace __atsan;

namespace {

// Whether the runtime is ready, if it can be made so: code that runs before a
// shared runtime does may begin a region. Before one in the program, only the
// resolvers of indirect functions run: the loader calls them while it relocates
// the program, alone, and the runtime may not be called through the PLT yet.
bool IsReady() {
#if SANITIZER_SHARED
  if (UNLIKELY(!runtime_ready))
    __atsan_init();
#endif
  return runtime_ready;
}

NOINLINE void BeginSlowly(const char *name, Thread *) {
  if (UNLIKELY(!IsReady()))
    return;
  SteerBefore(ATSAN_SCHEDULE_PLACE("region-begin"));
  if (Thread *thr = CurrentOrNewThread())
    RegionBegin(thr, name, ATSAN_CALLER_POINT(), ATSAN_CALLER_SP());
}
NOINLINE void FinishBeginning(const char *, Thread *thr) {
  RegionBeginRest(thr);
}

NOINLINE void EndSlowly(const char *error, Thread *) {
  if (UNLIKELY(!IsReady()))
    return;
  SteerBefore(ATSAN_SCHEDULE_PLACE("region-end"));
  if (Thread *thr = CurrentOrNewThread())
    RegionEnd(thr, error, ATSAN_CALLER_POINT());
}
NOINLINE void FinishEnd(const char *, Thread *thr) { RegionEndRest(thr); }

NOINLINE void DeliverSignals(const char *, Thread *thr) { SignalsDeliver(thr); }

// `thr` is not passed by callers: it makes the tail calls possible.
ALWAYS_INLINE void BeginRegion(const char *name, Thread *thr) {
  thr = quick_thread;
  const RegionMarked how = RegionBeginQuickly(
      thr, name, ATSAN_HOOK_POINT(),
      [] { return StackPointer() + sizeof(uptr); },
      /*section=*/false, StackPointer());
  if (UNLIKELY(how == RegionMarked::kNot)) [[clang::musttail]]
    return BeginSlowly(name, thr);
  if (UNLIKELY(how == RegionMarked::kInRuntime)) [[clang::musttail]]
    return FinishBeginning(name, thr);
  if (UNLIKELY(how == RegionMarked::kSignals)) [[clang::musttail]]
    return DeliverSignals(name, thr);
}

// `error` is what a report says if no region is open.
ALWAYS_INLINE void EndRegion(const char *error, Thread *thr) {
  thr = quick_thread;
  const RegionMarked how = RegionEndQuickly(thr);
  if (UNLIKELY(how == RegionMarked::kNot)) [[clang::musttail]]
    return EndSlowly(error, thr);
  if (UNLIKELY(how == RegionMarked::kInRuntime)) [[clang::musttail]]
    return FinishEnd(error, thr);
  if (UNLIKELY(how == RegionMarked::kSignals)) [[clang::musttail]]
    return DeliverSignals(error, thr);
}

}  // namespace

// Called without the parameters that are unset.
extern "C" {

SANITIZER_INTERFACE_ATTRIBUTE void __atomic_begin(const char *, Thread *unset) {
  BeginRegion(nullptr, unset);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atomic_end(const char *, Thread *unset) {
  EndRegion("__atomic_end() without a matching __atomic_begin()", unset);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_region_begin(const char *name,
                                                        Thread *unset) {
  BeginRegion(name, unset);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_region_end(const char *,
                                                      Thread *unset) {
  EndRegion("__atsan_region_end() without a matching __atsan_region_begin()",
            unset);
}

// The caller returns, and may leave a region open that began in its frame. From
// now on no frame is the region's, also if it looks like that one.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_region_frame_left() {
  Thread *thr = cur_thread;
  if (thr && thr->region_context &&
      thr->region_frame.fp == CallersFramePointer())
    thr->region_frame.return_address = no_frame;  // Where no code is.
}

}  // extern "C"
