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

/// From so many items on, a region's items are looked up in a table.
static constexpr size_t ManyItems = 24;

static uint64_t mix(uint64_t Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15u;
  return Hash ^ (Hash >> 32);
}

size_t ThreadProfiles::Hash::operator()(const ExtentKey &K) const {
  return mix(mix(uint64_t(K.Class) << 32 | K.Thread, K.Around.Period),
             uint64_t(K.Around.Locks) << 32 | K.Around.Slot);
}

size_t ThreadProfiles::Hash::operator()(const std::vector<uint64_t> &Of) const {
  uint64_t Result = Of.size();
  for (uint64_t Word : Of)
    Result = mix(Result, Word);
  return Result;
}

void ThreadProfiles::access(const ProfiledAccess &A) {
  const uint32_t Thread = A.Now.What.Thread;
  if (Thread >= Threads.size())
    Threads.resize(size_t(Thread) + 1);
  ThreadState &T = Threads[Thread];
  if (A.Transaction != T.Transaction) {
    close(Thread);
    T.Transaction = A.Transaction;
    T.Begin = A.Begin;
  }
  if (A.Class >= Extents.size())
    Extents.resize(size_t(A.Class | 1) + 1);
  std::vector<Extent> &Of = Extents[A.Class];
  const auto [It, IsNew] = ExtentNumbers.try_emplace(
      ExtentKey{A.Class, Thread, A.Around}, uint32_t(Of.size()));
  if (IsNew) {
    Of.push_back(
        {Thread, A.Around, A.Transaction, A.Transaction, A.Now, A.Now});
  } else {
    Of[It->second].Last = A.Transaction;
    Of[It->second].LastEvent = A.Now;
  }
  if (A.InRegion)
    addItem(T, A);
}

ThreadProfiles::Item *ThreadProfiles::findItem(ThreadState &T,
                                               const ProfiledAccess &A) {
  const auto Matches = [&](const Item &I) {
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

void ThreadProfiles::addItem(ThreadState &T, const ProfiledAccess &A) {
  const uint32_t At = ++T.Accesses;
  if (Item *I = findItem(T, A)) {
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

/// The numbers of a region from 0 on, in their order.
namespace {
template <typename T> class Ranks {
public:
  void add(T Number) { All.push_back(Number); }
  void finish() {
    std::sort(All.begin(), All.end());
    All.erase(std::unique(All.begin(), All.end()), All.end());
  }
  uint32_t of(T Number) const {
    return uint32_t(std::lower_bound(All.begin(), All.end(), Number) -
                    All.begin());
  }

private:
  std::vector<T> All;
};
} // namespace

/// Numbers the firsts and lasts anew, so that a loop of more rounds makes no
/// other region.
static void rank(std::vector<ThreadProfiles::Item> &Items) {
  Ranks<uint32_t> Times;
  Ranks<uint64_t> Stretches;
  Stretches.add(0);
  for (const ThreadProfiles::Item &I : Items) {
    Times.add(I.First);
    Times.add(I.Last);
    Stretches.add(I.FirstStretch);
    Stretches.add(I.LastStretch);
  }
  Times.finish();
  Stretches.finish();
  for (ThreadProfiles::Item &I : Items) {
    I.First = Times.of(I.First);
    I.Last = Times.of(I.Last);
    I.FirstStretch = Stretches.of(I.FirstStretch);
    I.LastStretch = Stretches.of(I.LastStretch);
  }
}

/// Keeps the part of a region that is open, unless there was one like it.
void ThreadProfiles::close(uint32_t Thread) {
  ThreadState &T = Threads[Thread];
  if (T.Accesses > 1) {
    rank(T.Items);
    std::vector<uint64_t> Key = {Thread, T.Begin.What.Address,
                                 T.Begin.What.Location};
    for (const Item &I : T.Items)
      Key.insert(Key.end(), {uint64_t(I.Class) << 32 | I.Around.Period,
                             uint64_t(I.First) << 32 | I.Last,
                             uint64_t(I.Around.Locks) << 32 | I.Around.Slot,
                             I.FirstStretch << 32 | I.LastStretch});
    if (Known.insert(std::move(Key)).second)
      Regions.push_back({Thread, T.Begin, T.Items});
  }
  T.Items.clear();
  if (!T.Places.empty())
    T.Places.clear();
  T.Accesses = 0;
}

void ThreadProfiles::finish() {
  Stream.finish(*this);
  for (uint32_t Thread = 0; Thread != Threads.size(); ++Thread)
    close(Thread);
  Extents.resize(2 * Stream.bytes().ranges().size());
}
