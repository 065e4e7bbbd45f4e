//===- ProfileStream.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ProfileStream.h"

using namespace atsan;
using namespace atsan::check;

NumberedEvent atsan::check::beginOf(const RegionMark &R, uint32_t Thread) {
  trace::Event E;
  E.Address = R.Name;
  E.Thread = Thread;
  E.Location = R.Begin.Location;
  E.Kind = R.Begin.Kind;
  return {R.Begin.Number, E};
}

NumberedEvent ProfileStream::eventOf(const EventMark &M, AccessClass C,
                                     uint32_t Thread) const {
  const ByteRange &R = Bytes.ranges()[rangeOf(C)];
  trace::Event E;
  E.Address = R.Address;
  E.Size = R.Size;
  E.Thread = Thread;
  E.Location = M.Location;
  E.Kind = M.Kind;
  return {M.Number, E};
}

void ProfileStream::take(const trace::Event &E, Consumer &To) {
  ++Count;
  const Step S = Parts.take(E);
  if (E.Thread >= Threads.size())
    Threads.resize(size_t(E.Thread) + 1);
  ThreadState &T = Threads[E.Thread];
  const uint64_t Part =
      Parts.inRegion(E.Thread) ? Parts.transaction(E.Thread) : 0;
  if (Part != T.Part || S == Step::Unary) {
    T.Part = Part;
    ++T.Transaction;
  }
  if (S == Step::Begin)
    T.Region = {{Count, E.Location, E.Kind}, E.Address};
  if (trace::isAccess(E.Kind))
    return access(T, E, S != Step::Unary, To);
  if (E.Kind == trace::EventKind::Birth || E.Kind == trace::EventKind::Death)
    Bytes.beginLife(E);
  if (!WithLocks)
    return;
  const bool IsOver = Stretches.take(E, Count);
  Order.take(E, Count, Stretches.effect(), Stretches.handOvers());
  if (IsOver)
    endStretch(E.Thread, Stretches.ended(), To);
}

void ProfileStream::access(ThreadState &T, const trace::Event &E, bool InRegion,
                           Consumer &To) {
  ProfiledAccess A{0,  E.Thread, T.Transaction, {Count, E.Location, E.Kind},
                   {}, InRegion, T.Region,      0};
  if (WithLocks)
    A.Around.Period = Order.period(E.Thread);
  Bytes.forEachRange(E, [&](uint32_t Range) {
    A.Class = 2 * Range + trace::writes(E.Kind);
    if (!WithLocks || !Stretches.isIn(E.Thread))
      return To.access(A);
    A.Around.Slot = Stretches.slot(E.Thread);
    T.Waiting.push_back(A);
  });
  if (T.Waiting.size() >= MaxWaiting)
    endStretch(E.Thread, Stretches.end(E.Thread), To);
}

void ProfileStream::endStretch(uint32_t Thread, LockStretches::Id Locks,
                               Consumer &To) {
  ThreadState &T = Threads[Thread];
  ++T.Stretch;
  for (ProfiledAccess &A : T.Waiting) {
    A.Around.Locks = Locks;
    A.Stretch = T.Stretch;
    To.access(A);
  }
  T.Waiting.clear();
  To.endStretch(Thread, Locks);
}

void ProfileStream::finish(Consumer &To) {
  for (uint32_t Thread = 0; Thread != Threads.size(); ++Thread)
    if (Stretches.isIn(Thread))
      endStretch(Thread, Stretches.end(Thread), To);
  Bytes.findOverlaps();
}
