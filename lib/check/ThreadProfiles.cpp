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

static uint64_t hash(AccessClass C, uint32_t Thread, const Surroundings &S) {
  return NumberTable::mix(
      NumberTable::mix(uint64_t(C) << 32 | Thread, S.Period),
      uint64_t(S.Locks) << 32 | S.Slot);
}

uint64_t ThreadProfiles::hashOf(uint32_t Extent) const {
  return hash(All[Extent].Class, All[Extent].Thread, All[Extent].Around);
}

uint32_t &ThreadProfiles::placeOf(AccessClass C, uint32_t Thread,
                                  const Surroundings &S) {
  return Numbers.place(hash(C, Thread, S), [&](uint32_t Extent) {
    return is(All[Extent], C, Thread, S);
  });
}

/// Finds the extent of an access, or makes one.
uint32_t ThreadProfiles::extentOf(const ProfiledAccess &A) {
  uint32_t &Place = placeOf(A.Class, A.Thread, A.Around);
  if (Place)
    return Place - 1;
  All.push_back({A.Class, A.Thread, A.Around, A.Transaction, A.Transaction,
                 A.Now, A.Now});
  Place = uint32_t(All.size());
  Numbers.grow(All.size(), [this](uint32_t Extent) { return hashOf(Extent); });
  return uint32_t(All.size() - 1);
}

void ThreadProfiles::access(const ProfiledAccess &A) {
  if (Also)
    Also->access(A);
  if (A.Thread >= Latest.size())
    Latest.resize(size_t(A.Thread) + 1);
  // Most go on as they did when they were here before: what followed then is
  // near in memory, while the table is not.
  uint32_t &Before = Latest[A.Thread];
  uint32_t Own = Before < All.size() ? All[Before].Follower : 0;
  if (Own >= All.size() || !is(All[Own], A.Class, A.Thread, A.Around)) {
    Own = extentOf(A);
    All[Before].Follower = Own;
  }
  Before = Own;
  All[Own].Last = A.Transaction;
  All[Own].LastEvent = A.Now;
}

void ThreadProfiles::finish() {
  Stream.finish(*this);
  std::sort(All.begin(), All.end(), [](const Extent &A, const Extent &B) {
    return A.Class != B.Class ? A.Class < B.Class
                              : A.FirstEvent.Number < B.FirstEvent.Number;
  });
  Numbers.fill(All.size(), [this](uint32_t Extent) { return hashOf(Extent); });
  const size_t Classes = 2 * Stream.bytes().ranges().size();
  Begins.assign(Classes + 1, 0);
  for (const Extent &E : All)
    ++Begins[E.Class + 1];
  for (size_t C = 0; C != Classes; ++C)
    Begins[C + 1] += Begins[C];
}
