//===- Moves.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the edges of a program do where data is dropped: which shared object
// they access, or nothing. Conditions hold and do not hold, unless they are
// constant for the thread.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_MOVES_H
#define ATSAN_MODEL_MOVES_H

#include "lib/model/Program.h"
#include <tuple>

namespace atsan::model {

/// One replica of a thread of the program.
struct ThreadId {
  uint32_t Thread = 0;
  uint32_t Replica = 0;
  bool operator==(const ThreadId &O) const {
    return Thread == O.Thread && Replica == O.Replica;
  }
};

/// What happens to one shared object. Objects are the variables, and behind
/// them the locks.
struct Move {
  enum class Kind : uint8_t {
    Local, ///< Only the thread goes on; Object means nothing.
    Read,
    Write, ///< A compare-and-swap, too: a write depends on all that a read
           ///< does.
    Acquire,
    Release
  };
  Kind Is = Kind::Local;
  uint32_t Object = 0;
  /// If values of the object are kept: the value that it must have (none: any
  /// one), and the value that it has then.
  std::optional<Value> Before, After;

  bool operator==(const Move &O) const {
    return Is == O.Is && Object == O.Object && Before == O.Before &&
           After == O.After;
  }
  bool operator<(const Move &O) const {
    return std::tie(Object, Is, Before, After) <
           std::tie(O.Object, O.Is, O.Before, O.After);
  }
};

/// The objects of \p P: how many variables there are.
inline uint32_t lockObject(const Program &P, uint32_t Lock) {
  return static_cast<uint32_t>(P.Variables.size()) + Lock;
}

/// The name of an object.
const std::string &objectName(const Program &P, uint32_t Object);

/// What is known of a thread's own variables.
using KnownLocals = std::vector<std::optional<Value>>;

/// What is known of them if all data is dropped: `self`, if it is used.
KnownLocals knowsSelf(const Automaton &Code, uint32_t Replica);

/// The value of a formula over what is known; nullopt if it depends on more, or
/// has no value.
std::optional<Value> knownValue(const Formula &F, const KnownLocals &Known);

/// The possible moves of an edge; none if it cannot be taken, since it tests
/// what is false. Several if it depends on data which element of an array is
/// accessed. Values are not among them.
std::vector<Move> movesOf(const Program &P, const KnownLocals &Known,
                          const Edge &E);

} // namespace atsan::model

#endif
