//===- Enabled.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which transitions a marking enables, without a look at all of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_ENABLED_H
#define ATSAN_NET_ENABLED_H

#include "lib/net/Net.h"

namespace atsan::net {

class Enabled {
public:
  explicit Enabled(const Net &N) : N(N), Watched(N.Places.size()) {
    std::vector<uint32_t> Uses(N.Places.size());
    for (const Transition &T : N.Transitions)
      for (const Arc &A : T.Pre)
        ++Uses[A.Place];
    for (TransitionId Id = 0; Id < N.Transitions.size(); ++Id) {
      const Marking &Pre = N.Transitions[Id].Pre;
      if (Pre.empty()) {
        Always.push_back(Id);
        continue;
      }
      PlaceId Rarest = Pre.front().Place;
      for (const Arc &A : Pre)
        if (Uses[A.Place] < Uses[Rarest])
          Rarest = A.Place;
      Watched[Rarest].push_back(Id);
    }
  }

  /// Calls \p Visit with the number of each transition that \p M enables.
  template <class Function>
  void forEach(const Marking &M, Function Visit) const {
    for (const TransitionId Id : Always)
      Visit(Id);
    for (const Arc &A : M)
      for (const TransitionId Id : Watched[A.Place])
        if (isCovered(N.Transitions[Id].Pre, M))
          Visit(Id);
  }

private:
  const Net &N;
  /// Each transition at the place of its Pre that the fewest have.
  std::vector<std::vector<TransitionId>> Watched;
  std::vector<TransitionId> Always;
};

} // namespace atsan::net

#endif
