//===- Continuations.h -----------------------------------------------------//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread does between its steps, where it accesses its locals alone: the
// same for each state of the others, so that it is found once for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_CONTINUATIONS_H
#define ATSAN_MODEL_CONTINUATIONS_H

#include "lib/model/RowSet.h"

namespace atsan::model {

/// Why a run cannot go on: a mistake in the model.
enum class Fault : uint8_t {
  None,
  Assertion,  ///< An assert is false.
  Type,       ///< A value outside of the variable's type.
  Element,    ///< An index outside of the array.
  Arithmetic, ///< A division by 0, or a result outside of 32 bits.
  NotHeld,    ///< The release of a lock that the thread does not have.
};

/// How a way ends on which a thread accesses its locals alone.
struct WayEnd {
  std::vector<Value> Locals;
  int Stop = 0; ///< Unless there is an error.
  bool EndsRegion = false;
  Fault Error = Fault::None;
};

/// All ways from a node on.
struct Continuation {
  std::vector<WayEnd> Ends;
  /// A way on which the thread does nothing ever after, by whether a region
  /// ends on it.
  std::optional<bool> Stuck;
  bool IsFound = false;
};

/// The continuations of one machine's threads.
class Continuations {
public:
  /// What is known from \p Node of automaton \p Code on with these locals: to
  /// be filled in where it is not found yet, and then counted. Null: there are
  /// too many. It moves when another one is asked for.
  Continuation *from(unsigned Code, uint32_t Node, const Value *Locals,
                     size_t Count);
  void count(const Continuation &New) { Size += 1 + New.Ends.size(); }

private:
  struct Automaton {
    RowSet Rows; ///< Locals, with the node as tag.
    std::vector<Continuation> ByRow;
  };
  std::vector<Automaton> All;
  size_t Size = 0; ///< Continuations and their ends.
};

} // namespace atsan::model

#endif // ATSAN_MODEL_CONTINUATIONS_H
