//===- Transactions.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/event/Transactions.h"
#include "lib/base/NameList.h"

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

bool RegionSplits::parse(const std::string &Text) {
  return parseNames(Text, {{"start", &Start},
                           {"join", &Join},
                           {"barrier", &Barrier},
                           {"wait", &Wait}});
}

bool RegionSplits::isBoundary(EventKind K) const {
  switch (K) {
  case EventKind::Start:
    return Start;
  case EventKind::Join:
    return Join;
  case EventKind::BarrierArrive:
  case EventKind::BarrierLeave:
    return Barrier;
  case EventKind::Wait:
    return Wait;
  default:
    return false;
  }
}

Transactions::ThreadState &Transactions::at(uint32_t Thread) {
  if (Thread >= Threads.size())
    Threads.resize(size_t(Thread) + 1);
  return Threads[Thread];
}

Step Transactions::take(const Event &E) {
  ++Count;
  // A joined thread has ended, whether or not the trace says so.
  if (E.Kind == EventKind::Join && E.Address < Threads.size() &&
      E.Address != E.Thread)
    Threads[E.Address].Depth = 0;
  ThreadState &T = at(E.Thread);
  switch (E.Kind) {
  case EventKind::RegionBegin:
    if (T.Depth++)
      return Step::Inside;
    T.Part = Count;
    return Step::Begin;
  case EventKind::RegionEnd:
    if (!T.Depth)
      return Step::UsageError;
    return --T.Depth ? Step::Inside : Step::End;
  case EventKind::Restart:
    if (!T.Depth)
      return Step::Unary;
    T.Part = Count;
    return Step::Restart;
  case EventKind::End:
    if (!T.Depth)
      return Step::Unary;
    T.Depth = 0;
    return Step::End;
  default:
    if (!T.Depth)
      return Step::Unary;
    if (!Splits.isBoundary(E.Kind))
      return Step::Inside;
    T.Part = Count + 1;
    return Step::Unary;
  }
}

bool Transactions::inRegion(uint32_t Thread) const {
  return Thread < Threads.size() && Threads[Thread].Depth;
}

uint64_t Transactions::transaction(uint32_t Thread) const {
  return Threads[Thread].Part;
}
