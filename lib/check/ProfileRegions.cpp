//===- ProfileRegions.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ProfileRegions.h"
#include <algorithm>

using namespace atsan;
using namespace atsan::check;

/// From so many items on, a region's items are looked up in a table.
static constexpr size_t ManyItems = 24;

void ProfileRegions::access(const ProfiledAccess &A) {
  if (A.Thread >= Threads.size())
    Threads.resize(size_t(A.Thread) + 1);
  ThreadState &T = Threads[A.Thread];
  if (A.Transaction != T.Transaction) {
    close(A.Thread);
    T.Transaction = A.Transaction;
    T.Mark = A.Region;
  }
  if (A.InRegion)
    add(T, A);
}

ProfileItem *ProfileRegions::find(ThreadState &T, const ProfiledAccess &A) {
  const auto Matches = [&](const ProfileItem &I) {
    return I.Class == A.Class && I.Around == A.Around;
  };
  if (T.Items.size() < ManyItems) {
    const auto It = std::find_if(T.Items.begin(), T.Items.end(), Matches);
    return It == T.Items.end() ? nullptr : &*It;
  }
  if (T.Places.empty())
    for (uint32_t I = 0; I != T.Items.size(); ++I)
      T.Places.emplace(T.Items[I].Class, I);
  const auto [Begin, End] = T.Places.equal_range(A.Class);
  for (auto It = Begin; It != End; ++It)
    if (Matches(T.Items[It->second]))
      return &T.Items[It->second];
  return nullptr;
}

void ProfileRegions::add(ThreadState &T, const ProfiledAccess &A) {
  const uint32_t At = ++T.Accesses;
  if (ProfileItem *I = find(T, A)) {
    I->Last = At;
    I->LastEvent = A.Now;
    I->LastStretch = A.Stretch;
    return;
  }
  if (!T.Places.empty())
    T.Places.emplace(A.Class, uint32_t(T.Items.size()));
  T.Items.push_back(
      {A.Class, At, At, A.Now, A.Now, A.Around, A.Stretch, A.Stretch});
}

void ProfileRegions::Ranks::finish() {
  std::sort(All.begin(), All.end());
  All.erase(std::unique(All.begin(), All.end()), All.end());
}

uint32_t ProfileRegions::Ranks::of(uint64_t Number) const {
  return uint32_t(std::lower_bound(All.begin(), All.end(), Number) -
                  All.begin());
}

/// Numbers the firsts and lasts anew, so that a loop of more rounds makes no
/// other region.
void ProfileRegions::rank(std::vector<ProfileItem> &Items) {
  Times.clear();
  Stretches.clear();
  Stretches.add(0);
  for (const ProfileItem &I : Items) {
    Times.add(I.First);
    Times.add(I.Last);
    Stretches.add(I.FirstStretch);
    Stretches.add(I.LastStretch);
  }
  Times.finish();
  Stretches.finish();
  for (ProfileItem &I : Items) {
    I.First = Times.of(I.First);
    I.Last = Times.of(I.Last);
    I.FirstStretch = Stretches.of(I.FirstStretch);
    I.LastStretch = Stretches.of(I.LastStretch);
  }
}

bool ProfileRegions::isNew(const Key &K) {
  uint32_t &Place =
      Numbers.place(K.A, [&](uint32_t I) { return Known[I] == K; });
  if (Place)
    return false;
  Known.push_back(K);
  Place = uint32_t(Known.size());
  Numbers.grow(Known.size(), [this](uint32_t I) { return Known[I].A; });
  return true;
}

void ProfileRegions::close(uint32_t Thread) {
  ThreadState &T = Threads[Thread];
  if (T.Accesses > 1) {
    rank(T.Items);
    Key K = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
    const auto Mix = [&](uint64_t Word) {
      K.A = (K.A ^ Word) * 0x9e3779b97f4a7c15u;
      K.A ^= K.A >> 32;
      K.B = (K.B ^ (Word << 29 | Word >> 35)) * 0xc2b2ae3d27d4eb4fu;
      K.B ^= K.B >> 29;
    };
    Mix(uint64_t(Thread) << 32 | T.Mark.Begin.Location);
    Mix(T.Mark.Name);
    for (const ProfileItem &I : T.Items) {
      Mix(uint64_t(I.Class) << 32 | I.Around.Period);
      Mix(uint64_t(I.First) << 32 | I.Last);
      Mix(uint64_t(I.Around.Locks) << 32 | I.Around.Slot);
      Mix(I.FirstStretch << 32 | I.LastStretch);
    }
    if (isNew(K)) {
      ProfileRegion R{Thread, T.Mark, std::move(T.Items)};
      OnRegion(R);
      T.Items = std::move(R.Items);
    }
  }
  T.Items.clear();
  if (!T.Places.empty())
    T.Places.clear();
  T.Accesses = 0;
}

void ProfileRegions::finish() {
  for (uint32_t Thread = 0; Thread != Threads.size(); ++Thread)
    close(Thread);
}
