//===- Timeline.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include <algorithm>

namespace atsan::report {

namespace {

bool sameFrames(const Stack &A, const Stack &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const Frame &X, const Frame &Y) {
                      return X.Module == Y.Module && X.Offset == Y.Offset;
                    });
}

bool sameEvent(const Event &A, const Event &B) {
  return A.Role == B.Role && A.Thread == B.Thread &&
         A.Transaction == B.Transaction && A.Access == B.Access &&
         A.Size == B.Size && A.Address == B.Address &&
         sameFrames(A.Frames, B.Frames);
}

/// Events in order of the cycle, and what must come before what.
struct Constraints {
  std::vector<const Event *> Events;
  std::vector<Timeline::Link> Links;  ///< Of the steps.
  std::vector<Timeline::Link> Others; ///< Program order.
};

Constraints collect(const Report &R) {
  Constraints Out;
  auto Add = [&](const Event &E) {
    Out.Events.push_back(&E);
    return Out.Events.size() - 1;
  };
  for (const Step &S : R.Steps) {
    const Event *Before = Out.Events.empty() ? nullptr : Out.Events.back();
    const bool IsShown = Before && sameEvent(*Before, S.First);
    const size_t First = IsShown ? Out.Events.size() - 1 : Add(S.First);
    if (Before && !IsShown && Before->Thread == S.First.Thread &&
        Before->Transaction != S.First.Transaction)
      Out.Others.push_back({First - 1, First});
    Out.Links.push_back({First, Add(S.Later)});
  }
  return Out;
}

} // namespace

Timeline makeTimeline(const Report &R) {
  const Constraints In = collect(R);
  const size_t Count = In.Events.size();
  std::vector<std::vector<size_t>> Next(Count);
  std::vector<size_t> Waiting(Count, 0);
  auto Order = [&](const Timeline::Link &L) {
    Next[L.First].push_back(L.Later);
    ++Waiting[L.Later];
  };
  std::for_each(In.Links.begin(), In.Links.end(), Order);
  std::for_each(In.Others.begin(), In.Others.end(), Order);
  for (size_t I = 0; I + 1 < Count; ++I)
    Order({I, Count - 1});

  Timeline Out;
  std::vector<size_t> Row(Count);
  std::vector<bool> Done(Count, false);
  for (size_t Placed = 0; Placed < Count; ++Placed) {
    size_t Chosen = 0;
    while (Chosen < Count && (Done[Chosen] || Waiting[Chosen]))
      ++Chosen;
    // No report of ours contradicts itself, but a log may have anything.
    if (Chosen == Count)
      Chosen = std::find(Done.begin(), Done.end(), false) - Done.begin();
    Done[Chosen] = true;
    Row[Chosen] = Out.Events.size();
    Out.Events.push_back(In.Events[Chosen]);
    for (size_t Later : Next[Chosen])
      --Waiting[Later];
  }
  for (const Timeline::Link &L : In.Links)
    Out.Links.push_back({Row[L.First], Row[L.Later]});
  return Out;
}

} // namespace atsan::report
