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
  bool operator==(const Move &O) const {
    return Is == O.Is && Object == O.Object;
  }
  bool operator<(const Move &O) const {
    return Object != O.Object ? Object < O.Object : Is < O.Is;
  }
};

/// The objects of \p P: how many variables there are.
inline uint32_t lockObject(const Program &P, uint32_t Lock) {
  return static_cast<uint32_t>(P.Variables.size()) + Lock;
}

/// The name of an object.
const std::string &objectName(const Program &P, uint32_t Object);

/// The possible moves of an edge in this thread; none if it cannot be taken,
/// since it tests what is false. Several if it depends on data which element of
/// an array is accessed.
std::vector<Move> movesOf(const Program &P, ThreadId T, const Edge &E);
/// The possible moves of an edge of \p Code, a procedure that the replica
/// calls.
std::vector<Move> movesOf(const Program &P, const Automaton &Code,
                          uint32_t Replica, const Edge &E);

/// True if the edge, or which move it makes, depends on data that is dropped.
bool dependsOnData(const Program &P, ThreadId T, const Edge &E);

} // namespace atsan::model

#endif
