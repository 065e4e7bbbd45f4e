//===- Distance.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far a marking seems to be from a target: the steps that would be needed
// if transitions took no tokens away, each place on its own (the additive
// heuristic of Bonet and Geffner 2001). Only the order of a search depends on
// it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_DISTANCE_H
#define ATSAN_NET_DISTANCE_H

#include "lib/net/Net.h"

namespace atsan::net {

/// Not thread-safe.
class Distance {
public:
  explicit Distance(const Net &N);

  /// The least distance to one of the targets; Infinite if none can be covered.
  uint64_t of(const Marking &M);

  static constexpr uint64_t Infinite = UINT64_MAX / 4;

private:
  void spread(const Marking &M);

  const Net &N;
  std::vector<std::vector<TransitionId>> Takers; ///< For each place.
  std::vector<uint64_t> Cost;    ///< For each place, of getting a token there.
  std::vector<uint64_t> Sum;     ///< For each transition, of what it takes.
  std::vector<uint32_t> Missing; ///< How many of its places have no cost yet.
};

} // namespace atsan::net

#endif
