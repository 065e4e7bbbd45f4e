//===- ThreadProfiles.cpp -------------------------------------------------===//
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

void ThreadProfiles::take(const trace::Event &E) {
  ++Count;
  const Step S = Parts.take(E);
  if (E.Thread >= Threads.size())
    Threads.resize(size_t(E.Thread) + 1);
  ThreadState &T = Threads[E.Thread];
  const uint64_t Part =
      Parts.inRegion(E.Thread) ? Parts.transaction(E.Thread) : 0;
  if (Part != T.Part || S == Step::Unary) {
    close(E.Thread);
    T.Part = Part;
    ++T.Transaction;
  }
  if (S == Step::Begin)
    T.Begin = {Count, E};
  if (E.Kind == trace::EventKind::Birth || E.Kind == trace::EventKind::Death) {
    Bytes.beginLife(E);
    return;
  }
  if (trace::isAccess(E.Kind))
    Bytes.forEachRange(E, [&](uint32_t Range) {
      access(T, E, 2 * Range + trace::writes(E.Kind), S != Step::Unary);
    });
}

void ThreadProfiles::access(ThreadState &T, const trace::Event &E,
                            AccessClass C, bool InRegion) {
  const NumberedEvent Now = {Count, E};
  if (C >= Extents.size())
    Extents.resize(size_t(C | 1) + 1);
  std::vector<Extent> &Of = Extents[C];
  auto It = std::find_if(Of.begin(), Of.end(),
                         [&](const Extent &X) { return X.Thread == E.Thread; });
  if (It == Of.end()) {
    Of.push_back({E.Thread, T.Transaction, T.Transaction, Now, Now});
  } else {
    It->Last = T.Transaction;
    It->LastEvent = Now;
  }
  if (!InRegion)
    return;
  const uint32_t At = ++T.Accesses;
  const auto [Place, IsNew] = T.Places.emplace(C, T.Items.size());
  if (IsNew) {
    T.Items.push_back({C, At, At, Now, Now});
  } else {
    T.Items[Place->second].Last = At;
    T.Items[Place->second].LastEvent = Now;
  }
}

/// Numbers the firsts and lasts anew, so that a loop of more rounds makes no
/// other region.
static void rank(std::vector<ThreadProfiles::Item> &Items) {
  std::vector<uint32_t> Times;
  for (const ThreadProfiles::Item &I : Items) {
    Times.push_back(I.First);
    Times.push_back(I.Last);
  }
  std::sort(Times.begin(), Times.end());
  Times.erase(std::unique(Times.begin(), Times.end()), Times.end());
  const auto Rank = [&](uint32_t Time) {
    return uint32_t(std::lower_bound(Times.begin(), Times.end(), Time) -
                    Times.begin());
  };
  for (ThreadProfiles::Item &I : Items) {
    I.First = Rank(I.First);
    I.Last = Rank(I.Last);
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
      Key.insert(Key.end(), {I.Class, I.First, I.Last});
    if (Known.insert(std::move(Key)).second)
      Regions.push_back({Thread, T.Begin, T.Items});
  }
  T.Items.clear();
  T.Places.clear();
  T.Accesses = 0;
}

void ThreadProfiles::finish() {
  for (uint32_t Thread = 0; Thread != Threads.size(); ++Thread)
    close(Thread);
  Extents.resize(2 * Bytes.ranges().size());
  Bytes.findOverlaps();
}
