//===- ReductionFeed.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events for the checker of reduction, as it happens: from the program that
// runs and from a trace alike. Usable without the C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_EVENT_REDUCTIONFEED_H
#define ATSAN_EVENT_REDUCTIONFEED_H

#include "lib/event/EventKind.h"
#include "lib/reduction/atsan_reduction.h"

namespace atsan::trace {

/// The fields that the checker needs, as in Event.
struct ReductionEvent {
  uint64_t Address;
  uint64_t Size;
  uint32_t Thread;
  EventKind Kind;
  bool IsAtomic;
  bool IsStack;
};

/// Hands `E` over, if it is not the begin or end of a region, of which the
/// caller knows more. `Divides`: it is a boundary of regions
/// (docs/semantics.md, rule 5).
inline void feedReduction(__atsan::ReductionChecker &To,
                          const ReductionEvent &E, bool Divides,
                          const __atsan::EventPoint &At) {
  switch (E.Kind) {
  case EventKind::RegionBegin:
  case EventKind::RegionEnd:
    return;
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
    return To.Access(E.Thread, E.Address, E.Size, writes(E.Kind), E.IsAtomic,
                     At);
  case EventKind::Birth:
    return To.Born(E.Thread, E.Address, E.Size, E.IsStack);
  case EventKind::Death:
    return To.Died(E.Address, E.Size);
  case EventKind::Pointer:
    return To.PointerStored(E.Address, E.Size);
  case EventKind::Restart:
    return To.Divide(E.Thread, At);
  case EventKind::Acquire:
  case EventKind::AcquireShared:
    return To.Acquire(E.Thread, E.Address, isShared(E.Kind), At);
  case EventKind::Release:
  case EventKind::ReleaseShared:
    return To.Release(E.Thread, E.Address, isShared(E.Kind), At);
  case EventKind::Start:
    return To.Start(E.Thread, E.Address, Divides, At);
  case EventKind::Join:
    return To.Join(E.Thread, E.Address, Divides, At);
  case EventKind::End:
    return To.End(E.Thread);
  case EventKind::BarrierArrive:
    return To.Arrive(E.Thread, E.Address, E.Size, Divides, At);
  case EventKind::BarrierLeave:
    return To.Leave(E.Thread, E.Address, Divides, At);
  case EventKind::Wait:
    return To.Wait(E.Thread, E.Address, Divides, At);
  case EventKind::Signal:
  case EventKind::Woken:
  case EventKind::HappensBefore:
  case EventKind::HappensAfter:
  case EventKind::TryFailed:
    return;
  }
}

} // namespace atsan::trace

#endif // ATSAN_EVENT_REDUCTIONFEED_H
