//===- StateEquation.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which markings no run can cover, by the state equation (Murata 1977): weights
// of places that no transition increases in sum, though the marking weighs more
// than the initial one. Z3 finds the weights; they are checked here before they
// are used, and then decide about other markings without it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_STATEEQUATION_H
#define ATSAN_NET_STATEEQUATION_H

#include "lib/net/Search.h"
#include <memory>

namespace atsan::net {

/// Weights of places: does no run make what lies on them heavier, whatever
/// number of tokens it begins with? They are nowhere negative then.
bool isInvariant(const Net &N, const std::vector<int64_t> &Weights);

/// Not thread-safe; several may work in threads of their own.
class StateEquation {
public:
  StateEquation(const Net &N, Budget &B);
  ~StateEquation();

  /// True only if no reachable marking covers \p M.
  bool excludes(const Marking &M);
  /// How many weights were found.
  size_t size() const { return Known.size(); }

private:
  struct Weights {
    std::vector<int64_t> OfPlace;
    int64_t Initial; ///< What the initial marking weighs.
  };
  struct Solver;

  static bool isHeavier(const Weights &W, const Marking &M);
  bool weighInitial(Weights &W) const;
  bool search(const Marking &M);

  const Net &N;
  Budget &B;
  std::vector<Weights> Known;
  std::unique_ptr<Solver> Z3;
  uint64_t Searches = 0, Found = 0, Asked = 0;
};

} // namespace atsan::net

#endif
