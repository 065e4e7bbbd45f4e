//===- ConflictMonitor.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/ConflictMonitor.h"

using namespace atsan::model;

ConflictMonitor::ConflictMonitor(unsigned Threads,
                                 const std::vector<bool> &Tracked)
    : Threads(Threads) {
  for (const bool Is : Tracked)
    IndexOf.push_back(Is ? static_cast<int>(Count++) : -1);
}

std::vector<unsigned> ConflictMonitor::widths() const {
  return std::vector<unsigned>(Threads + Sets * Count, Threads);
}

// The transactions Before come before the thread's event.
void ConflictMonitor::addAfter(Value *M, Value Before, unsigned Thread,
                               bool InRegion) const {
  const Value Bit = 1 << Thread;
  Value New = 0;
  for (unsigned T = 0; T < Threads; ++T)
    if ((Before >> T & 1) && !(M[T] & Bit)) {
      New |= 1 << T;
      M[T] |= Bit | (InRegion ? M[Thread] : 0);
    }
  if (!New || !InRegion)
    return;
  // What the thread's transaction, and what is after it, accessed before, is
  // now after these transactions too.
  for (unsigned I = 0; I < Count; ++I) {
    Value *S = setsOf(M, I);
    if ((S[OwnReads] | S[LaterReads]) & Bit)
      S[LaterReads] |= New;
    if ((S[OwnWrites] | S[LaterWrites]) & Bit)
      S[LaterWrites] |= New;
  }
}

bool ConflictMonitor::access(Value *M, unsigned Thread, uint32_t Variable,
                             bool IsWrite, bool InRegion) const {
  if (IndexOf[Variable] < 0)
    return false;
  const Value Bit = 1 << Thread;
  Value *S = setsOf(M, IndexOf[Variable]);
  const Value Later = S[LaterWrites] | (IsWrite ? S[LaterReads] : 0);
  const Value Own = S[OwnWrites] | (IsWrite ? S[OwnReads] : 0);
  // Somebody after this very transaction made the conflicting access: a cycle.
  const bool ClosesCycle = InRegion && (Later & Bit);
  if (!ClosesCycle)
    addAfter(M, (Own | Later) & ~Bit, Thread, InRegion);
  Value Before = 0;
  for (unsigned T = 0; T < Threads; ++T)
    if (M[T] & Bit)
      Before |= 1 << T;
  S[IsWrite ? LaterWrites : LaterReads] |= Before;
  if (InRegion)
    S[IsWrite ? OwnWrites : OwnReads] |= Bit;
  return ClosesCycle;
}

void ConflictMonitor::endRegion(Value *M, unsigned Thread) const {
  M[Thread] = 0;
  for (Value *S = setsOf(M, 0); S != setsOf(M, Count); ++S)
    *S &= ~(1 << Thread);
}

void ConflictMonitor::endThread(Value *M, unsigned Thread) const {
  // Nothing of the thread can come any more.
  for (unsigned T = 0; T < Threads; ++T)
    M[T] &= ~(1 << Thread);
}

void ConflictMonitor::rename(Value *M, const std::vector<unsigned> &New) const {
  auto Renamed = [&](Value Old) {
    Value Result = 0;
    for (unsigned T = 0; Old; ++T, Old >>= 1)
      if (Old & 1)
        Result |= 1 << New[T];
    return Result;
  };
  Value Rows[32];
  for (unsigned T = 0; T < Threads; ++T)
    Rows[New[T]] = Renamed(M[T]);
  for (unsigned T = 0; T < Threads; ++T)
    M[T] = Rows[T];
  for (Value *S = setsOf(M, 0); S != setsOf(M, Count); ++S)
    *S = Renamed(*S);
}
