//===- Statistics.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Statistics.h"
#include <algorithm>

using namespace atsan::trace;

void Statistics::add(const Event &E) {
  ++Events;
  ++Kinds[static_cast<unsigned>(E.Kind)];
  ++Threads[E.Thread];
  Atomics += E.IsAtomic;
  if (isAccess(E.Kind)) {
    Variables.insert(E.Address);
    return;
  }
  switch (E.Kind) {
  case EventKind::RegionBegin:
    ++Regions[E.Address];
    Deepest = std::max(Deepest, ++Depths[E.Thread]);
    break;
  case EventKind::RegionEnd:
    if (uint64_t &Depth = Depths[E.Thread])
      --Depth;
    break;
  case EventKind::Acquire:
  case EventKind::AcquireShared:
    Locks.insert(E.Address);
    break;
  case EventKind::Start:
  case EventKind::Join:
    Threads.try_emplace(static_cast<uint32_t>(E.Address));
    break;
  case EventKind::End:
    Depths[E.Thread] = 0;
    break;
  default:
    break;
  }
}
