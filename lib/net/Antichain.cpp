//===- Antichain.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Antichain.h"
#include <algorithm>

namespace atsan::net {

uint64_t MarkingSet::signature(const Marking &M) {
  uint64_t Bits = 0;
  for (const Arc &A : M)
    Bits |= uint64_t{1} << (A.Place * 0x9E3779B1u >> 26);
  return Bits;
}

uint32_t MarkingSet::add(Marking M) {
  const uint32_t Id = Members.size();
  if (M.empty())
    Empty.push_back(Id);
  for (const Arc &A : M)
    ByPlace[A.Place].push_back(Id);
  const uint64_t Bits = signature(M);
  Members.push_back({std::move(M), Bits, true});
  ++Count;
  return Id;
}

void MarkingSet::remove(uint32_t Id) {
  Count -= Members[Id].IsIn;
  Members[Id].IsIn = false;
  const auto Drop = [Id](std::vector<uint32_t> &From) {
    const auto It = std::lower_bound(From.begin(), From.end(), Id);
    if (It != From.end() && *It == Id)
      From.erase(It);
  };
  for (const Arc &A : Members[Id].M)
    Drop(ByPlace[A.Place]);
  if (Members[Id].M.empty())
    Drop(Empty);
}

/// Calls Found(Id) for each member but \p But that covers \p M, until that
/// returns false.
template <typename Function>
void MarkingSet::eachCovering(const Marking &M, uint32_t But,
                              Function Found) const {
  if (M.empty()) {
    for (uint32_t Id = 0; Id < Members.size(); ++Id)
      if (Members[Id].IsIn && Id != But && !Found(Id))
        return;
    return;
  }
  const std::vector<uint32_t> *Shortest = &ByPlace[M.front().Place];
  for (const Arc &A : M)
    if (ByPlace[A.Place].size() < Shortest->size())
      Shortest = &ByPlace[A.Place];
  const uint64_t Bits = signature(M);
  for (const uint32_t Id : *Shortest)
    if (Id != But && covers(Id, M, Bits) && !Found(Id))
      return;
}

uint32_t MarkingSet::covering(const Marking &M, uint32_t But) const {
  uint32_t First = None;
  eachCovering(M, But, [&](uint32_t Id) {
    First = Id;
    return false;
  });
  return First;
}

uint32_t MarkingSet::coveredBy(const Marking &M) const {
  for (const uint32_t Id : Empty)
    if (Members[Id].IsIn)
      return Id;
  const uint64_t Bits = signature(M);
  for (const Arc &A : M)
    for (const uint32_t Id : ByPlace[A.Place]) {
      const Member &X = Members[Id];
      // Each member is looked at once: at the first of its places.
      if (X.IsIn && X.M.front().Place == A.Place && !(X.Signature & ~Bits) &&
          isCovered(X.M, M))
        return Id;
    }
  return None;
}

void MarkingSet::removeCovering(const Marking &M, uint32_t But) {
  std::vector<uint32_t> Found;
  eachCovering(M, But, [&](uint32_t Id) {
    Found.push_back(Id);
    return true;
  });
  for (const uint32_t Id : Found)
    remove(Id);
}

} // namespace atsan::net
