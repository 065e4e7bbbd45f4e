//===- Net.h ----------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Petri nets: places, transitions with weighted arcs, an initial marking of
// which some places may have any number of tokens more, and targets to be
// covered. Markings are sparse: nets of programs have many places and few
// tokens.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_NET_H
#define ATSAN_NET_NET_H

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace atsan::net {

using PlaceId = uint32_t;
using TransitionId = uint32_t;
using Tokens = uint32_t;

/// Stands for "as many tokens as anybody asks for" in markings of engines.
constexpr Tokens Unbounded = UINT32_MAX;
/// The largest number of tokens, or weight of an arc, that is not Unbounded.
constexpr Tokens MaxTokens = UINT32_MAX - 1;

/// A place with the weight of an arc, or with its tokens in a marking.
struct Arc {
  PlaceId Place;
  Tokens Count;
  bool operator==(const Arc &O) const {
    return Place == O.Place && Count == O.Count;
  }
  bool operator<(const Arc &O) const {
    return Place != O.Place ? Place < O.Place : Count < O.Count;
  }
};

/// Sorted by place, without zeros: arcs of a transition, markings, targets.
using Marking = std::vector<Arc>;

struct Transition {
  std::string Name;
  Marking Pre, Post;
};

struct Net {
  std::vector<std::string> Places; ///< Their names, each one once.
  std::vector<Transition> Transitions;
  Marking Initial;
  /// Places that begin with any number of tokens from their initial one on;
  /// sorted.
  std::vector<PlaceId> OrMore;
  /// Each is a marking; covering one of them is enough.
  std::vector<Marking> Targets;
};

/// What is wrong with a file of a net: name, line and remedy in one line.
struct NetError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Sorts \p M, adds up several entries of one place and drops zeros. False if a
/// sum exceeds MaxTokens.
bool normalize(Marking &M);

/// Lists, for each place, the transitions that take from it.
std::vector<std::vector<TransitionId>> takersByPlace(const Net &N);

/// Lists, for each place, the transitions that give it more than they take.
std::vector<std::vector<TransitionId>> makersByPlace(const Net &N);

/// The tokens of \p M in \p Place.
Tokens tokensIn(const Marking &M, PlaceId Place);

/// True if \p Small has nowhere more tokens than \p Large.
bool isCovered(const Marking &Small, const Marking &Large);

/// The initial marking with Unbounded in the places of OrMore.
Marking initialWithUnbounded(const Net &N);

/// Fires \p T in \p M, which must cover T.Pre; Unbounded stays Unbounded. False
/// if a place would get more than MaxTokens.
bool fire(const Transition &T, const Marking &M, Marking &Result);

/// "p1:2 p4" for a marking.
std::string toText(const Net &N, const Marking &M);

/// A parser's map from the names of places to their numbers is only needed
/// while reading; this one finds a name slowly. Returns Places.size() if there
/// is none.
PlaceId placeNamed(const Net &N, const std::string &Name);

} // namespace atsan::net

#endif
