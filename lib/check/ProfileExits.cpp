//===- ProfileExits.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/ProfileExits.h"
#include <algorithm>

using namespace atsan::check;

void ProfileExits::Group::finish() {
  std::sort(All.begin(), All.end(), [](const Exit &A, const Exit &B) {
    return A.At[Rank] < B.At[Rank];
  });
  while (Leaves < All.size())
    Leaves *= 2;
  const Box Empty = {Box().High, Box().Low};
  Around.assign(2 * Leaves, Empty);
  for (size_t I = 0; I != All.size(); ++I)
    Around[Leaves + I] = {All[I].At, All[I].At};
  for (size_t Node = Leaves; --Node;)
    for (size_t D = 0; D != Dimensions; ++D) {
      const Box &A = Around[2 * Node], &B = Around[2 * Node + 1];
      Around[Node].Low[D] = std::min(A.Low[D], B.Low[D]);
      Around[Node].High[D] = std::max(A.High[D], B.High[D]);
    }
}

void ProfileExits::Group::find(const Box &In,
                               std::vector<uint32_t> &Items) const {
  std::vector<size_t> Work = {1};
  while (!Work.empty()) {
    const size_t Node = Work.back();
    Work.pop_back();
    const Box &B = Around[Node];
    bool Meets = true;
    for (size_t D = 0; D != Dimensions; ++D)
      Meets &= B.Low[D] <= In.High[D] && In.Low[D] <= B.High[D];
    if (!Meets)
      continue;
    if (Node >= Leaves)
      Items.push_back(All[Node - Leaves].Item);
    else
      Work.insert(Work.end(), {2 * Node, 2 * Node + 1});
  }
}

void ProfileExits::add(const Kind &K, uint32_t Item, const Point &P) {
  Groups[K].add(Item, P);
  if (Items.empty() || Items.back().Item != Item)
    Items.push_back({Item, P[Rank], P[Stretch], {}});
  Items.back().Left.push_back({K.Thread, P[Last]});
}

void ProfileExits::finish() {
  for (auto &[K, G] : Groups)
    G.finish();
  std::sort(
      Items.begin(), Items.end(),
      [](const ItemExits &A, const ItemExits &B) { return A.Rank > B.Rank; });
  std::map<uint32_t, uint64_t> Latest;
  for (size_t I = 0; I != Items.size(); ++I) {
    Latest.clear();
    for (const auto &[Thread, At] : Items[I].Left)
      Latest[Thread] = std::max(Latest[Thread], At);
    for (const auto &[Thread, At] : Latest) {
      std::vector<uint64_t> &C = Covers[Thread];
      if (C.size() == I)
        C.push_back(I ? std::min(C.back(), At) : At);
    }
  }
}

bool ProfileExits::cover(uint64_t After, uint64_t But,
                         const std::vector<uint32_t> &Entered,
                         const std::vector<uint64_t> &Earliest) {
  const size_t Count =
      std::partition_point(Items.begin(), Items.end(),
                           [&](const ItemExits &I) { return I.Rank > After; }) -
      Items.begin();
  if (!Count)
    return true;
  for (const uint32_t Thread : Entered) {
    const auto C = Covers.find(Thread);
    if (C != Covers.end() && Count <= C->second.size() &&
        C->second[Count - 1] >= Earliest[Thread])
      return true;
  }
  const auto IsCovered = [&](const ItemExits &I) {
    return I.Stretch == But ||
           std::any_of(I.Left.begin(), I.Left.end(), [&](const auto &L) {
             return Earliest[L.first] <= L.second;
           });
  };
  if (Missed < Count && !IsCovered(Items[Missed]))
    return false;
  for (Missed = 0; Missed != Count; ++Missed)
    if (!IsCovered(Items[Missed]))
      return false;
  return true;
}
