//===- ThreadProfiles.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ThreadProfiles.h"
#include <algorithm>

using namespace atsan;
using namespace atsan::check;

static uint64_t mix(uint64_t Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15u;
  return Hash ^ (Hash >> 32);
}

/// The place of the extent in the table, or the free one where it belongs.
size_t ThreadProfiles::placeOf(AccessClass C, uint32_t Thread,
                               const Surroundings &S) const {
  const size_t Mask = Table.size() - 1;
  size_t At = mix(mix(uint64_t(C) << 32 | Thread, S.Period),
                  uint64_t(S.Locks) << 32 | S.Slot) &
              Mask;
  for (; Table[At]; At = (At + 1) & Mask) {
    const Extent &E = All[Table[At] - 1];
    if (E.Class == C && E.Thread == Thread && E.Around == S)
      break;
  }
  return At;
}

void ThreadProfiles::fillTable(size_t Size) {
  Table.assign(Size, 0);
  for (uint32_t I = 0; I != All.size(); ++I)
    Table[placeOf(All[I].Class, All[I].Thread, All[I].Around)] = I + 1;
}

uint32_t ThreadProfiles::find(AccessClass C, uint32_t Thread,
                              const Surroundings &S) const {
  return Table[placeOf(C, Thread, S)] - 1;
}

void ThreadProfiles::access(const ProfiledAccess &A) {
  if (Also)
    Also->access(A);
  uint32_t &Place = Table[placeOf(A.Class, A.Thread, A.Around)];
  if (Place) {
    All[Place - 1].Last = A.Transaction;
    All[Place - 1].LastEvent = A.Now;
    return;
  }
  All.push_back({A.Class, A.Thread, A.Around, A.Transaction, A.Transaction,
                 A.Now, A.Now});
  Place = uint32_t(All.size());
  if (All.size() * 2 > Table.size())
    fillTable(Table.size() * 2);
}

void ThreadProfiles::finish() {
  Stream.finish(*this);
  std::sort(All.begin(), All.end(), [](const Extent &A, const Extent &B) {
    return A.Class != B.Class ? A.Class < B.Class
                              : A.FirstEvent.Number < B.FirstEvent.Number;
  });
  fillTable(Table.size());
  const size_t Classes = 2 * Stream.bytes().ranges().size();
  Begins.assign(Classes + 1, 0);
  for (const Extent &E : All)
    ++Begins[E.Class + 1];
  for (size_t C = 0; C != Classes; ++C)
    Begins[C + 1] += Begins[C];
}
