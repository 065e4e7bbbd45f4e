//===- RunOrder.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/RunOrder.h"

using namespace atsan::trace;

std::string atsan::trace::describe(Complaint C, const Event &E,
                                   const Names &Known) {
  const std::string Thread = Known.thread(E.Thread);
  switch (C) {
  case Complaint::None:
    break;
  case Complaint::EndWithoutBegin:
    return Thread + " ends a region and is in none";
  case Complaint::ReleaseOfUnheld:
    return Thread + " releases " + Known.lock(E.Address) +
           " and does not hold it";
  case Complaint::AcquireOfHeld:
    return Thread + " acquires " + Known.lock(E.Address) +
           ", which another thread holds";
  case Complaint::StartOfRunning:
    return Thread + " starts " + Known.thread(uint32_t(E.Address)) +
           ", which runs already";
  case Complaint::JoinOfUnknown:
    return Thread + " joins " + Known.thread(uint32_t(E.Address)) +
           ", which never ran";
  case Complaint::JoinOfItself:
    return Thread + " joins itself";
  case Complaint::RunsAfterJoin:
    return Thread + " goes on after it was joined";
  }
  return std::string();
}

Complaint RunOrder::takeOther(Thread &T, const Event &E) {
  switch (E.Kind) {
  case EventKind::RegionBegin:
    ++T.Depth;
    break;
  case EventKind::RegionEnd:
    if (!T.Depth)
      return Complaint::EndWithoutBegin;
    --T.Depth;
    break;
  case EventKind::Acquire: {
    Lock &L = Locks[E.Address];
    if (L.Depth && L.Holder != E.Thread)
      return Complaint::AcquireOfHeld;
    L.Holder = E.Thread;
    ++L.Depth;
    break;
  }
  case EventKind::Release: {
    Lock &L = Locks[E.Address];
    if (!L.Depth || L.Holder != E.Thread)
      return Complaint::ReleaseOfUnheld;
    --L.Depth;
    break;
  }
  case EventKind::Start: {
    Thread &Other = at(E.Address);
    if (Other.IsKnown)
      return Complaint::StartOfRunning;
    Other.IsKnown = true;
    break;
  }
  case EventKind::Join: {
    if (E.Address == E.Thread)
      return Complaint::JoinOfItself;
    Thread &Other = at(E.Address);
    if (!Other.IsKnown)
      return Complaint::JoinOfUnknown;
    Other.IsJoined = true;
    break;
  }
  case EventKind::End:
    T.Depth = 0;
    break;
  default:
    break;
  }
  return Complaint::None;
}
