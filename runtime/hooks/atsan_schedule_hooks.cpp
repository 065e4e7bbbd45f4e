//===-- atsan_schedule_hooks.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What scheduled bodies call before each access, and where a loop spins.
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_hook.h"
#include "runtime/hooks/atsan_schedule_point.h"
#include "runtime/schedule/atsan_schedule_library.h"
#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_shared.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_steer.h"

using namespace __atsan;

extern "C" {
// The linker makes these from the section's name: the addresses of all
// interceptors (runtime/intercept/atsan_interceptors.h).
extern const void *const __start_atsan_intercepting[]
    __attribute__((visibility("hidden")));
extern const void *const __stop_atsan_intercepting[]
    __attribute__((visibility("hidden")));
}

namespace __atsan {

// An interceptor that comes to a point has done what is known of it; one that
// does not may count, as rand_r does. The last answers are kept.
static bool IsInterceptor(const void *function) {
  static const void *known[64];
  const void **last =
      &known[reinterpret_cast<uptr>(function) / 16 % ARRAY_SIZE(known)];
  if (*last == function)
    return true;
  for (auto *at = __start_atsan_intercepting; at != __stop_atsan_intercepting;
       at++)
    if (*at == function) {
      *last = function;
      return true;
    }
  return false;
}

static void StopBeforeAccess(ScheduledThread *self, uptr addr, uptr size,
                             u32 kind, Place *place, const AccessPoint &at,
                             uptr state) {
  const bool is_write = kind & 1;
  const bool is_atomic = kind >= atsan_abi::kPointAtomicRead;
  const bool is_shared = IsShared(place);
  Stop stop = {};
  stop.step.kind = is_write ? StepKind::kWrite : StepKind::kRead;
  stop.step.object = addr;
  stop.step.size = size;
  stop.step.interesting = is_shared;
  if (is_shared && MeetsLibrary(place))
    stop.step.second = kLibraryObject;
  stop.place = place;
  stop.at = at;
  stop.state = state;
  // A loop that waits may keep what it has read on its own stack.
  stop.repeats = !is_write || is_atomic ||
                 (!is_shared && IsOnOwnStack(self->thread, addr));
  stop.may_write_same = is_write && is_atomic;
  if (kind == atsan_abi::kPointInitialize)
    stop.guard = Guard::kInitialize;
  if (is_shared || is_atomic)
    StopAt(self, stop);
  else
    PassBy(self, stop);
  NoteAccess(place, self, addr, size, is_write);
}

void PointBeforeAccess(uptr addr, uptr size, u32 kind, Place *place,
                       const AccessPoint &at, uptr state) {
  if (ScheduledThread *self = CurrentScheduled()) {
    CountAccess();
    NoteCall(self, Called::kNothing);
    StopBeforeAccess(self, addr, size, kind, place, at, state);
  } else {
    SteerBefore(place);
  }
}

void PointBeforeFree(uptr addr, uptr size, const AccessPoint &at) {
  static Place place = {"free", "", 0, 0, 0, 0};
  if (ScheduledThread *self = CurrentScheduled()) {
    StopBeforeAccess(self, addr, size, atsan_abi::kPointWrite, &place, at,
                     /*state=*/0);
    ForgetAccesses(addr, size);
  } else {
    SteerBefore(&place);
  }
}

}  // namespace __atsan

extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_schedule_point(
    void *addr, uptr size, u32 kind, void *place) {
  const uptr a = reinterpret_cast<uptr>(addr);
  const AccessPoint at = ATSAN_CALLER_POINT();
  ATSAN_STATE_OF_THREAD(state);
  if (LIKELY(SchedulesAreControlled()))
    PointBeforeAccess(a, size, kind, static_cast<Place *>(place), at, state);
  // Brackets tell of atomic accesses.
  if (kind < atsan_abi::kPointAtomicRead && GateIsOpen())
    ReportAccess(
        a, size,
        kind == atsan_abi::kPointWrite ? AccessKind::kWrite : AccessKind::kRead,
        at);
}

// Only the first and the last reference are a step: who adds or takes away
// another one, before or after somebody else does, changes nothing for anybody.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_schedule_count(
    const void *addr, uptr size, uptr added, void *place) {
  const uptr a = reinterpret_cast<uptr>(addr);
  const AccessPoint at = ATSAN_CALLER_POINT();
  if (LIKELY(!SchedulesAreControlled()))
    return;
  if (!NoteCount(CurrentScheduled(), a, size, added))
    return;
  PointBeforeAccess(a, size, atsan_abi::kPointAtomicWrite,
                    static_cast<Place *>(place), at);
}

extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_schedule_pause() {
  if (UNLIKELY(!SchedulesAreControlled()))
    return;
  if (ScheduledThread *self = CurrentScheduled())
    YieldPoint(self, ATSAN_SCHEDULE_PLACE("pause"), ATSAN_CALLER_POINT());
}

extern "C" SANITIZER_INTERFACE_ATTRIBUTE void __atsan_schedule_call(
    const void *function) {
  if (UNLIKELY(!SchedulesAreControlled()))
    return;
  if (ScheduledThread *self = CurrentScheduled())
    NoteCall(self,
             IsInterceptor(function) ? Called::kInterceptor : Called::kUnknown);
}
