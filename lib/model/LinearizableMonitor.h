//===- LinearizableMonitor.h ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linearizability of registers (Herlihy and Wing, TOPLAS 1990) as an automaton
// over the begins and ends of operations, for any number of operations by a
// given number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_LINEARIZABLEMONITOR_H
#define ATSAN_MODEL_LINEARIZABLEMONITOR_H

#include "lib/model/Property.h"
#include <map>
#include <set>

namespace atsan::model {

/// For each register, the state is the set of all that can be by now: the
/// register's value, and which of the open operations have taken effect, with
/// which results. It is a number, under which the set is kept. Violated when an
/// operation ends as in no element of the set. Exact for any number of writers.
class LinearizableMonitor : public Property {
public:
  LinearizableMonitor(const Program &P, unsigned Threads);

  std::vector<unsigned> widths() const override;
  bool hasOperations() const override { return true; }
  bool invoke(Value *M, unsigned Thread, const Edge &E,
              Value Argument) const override;
  bool respond(Value *M, unsigned Thread, const Edge &E,
               Value Result) const override;

private:
  /// What one thread does, as a character.
  enum Code : char32_t {
    Idle,
    ReadOpen,
    WriteDone,
    FirstValue, ///< From here on 2 * value: a read has it; + 1: a write opens.
  };
  /// The register's value, and behind it the code of each thread.
  using Possibility = std::u32string;
  using Set = std::set<Possibility>;

  static constexpr unsigned NumberBits = 24;

  struct Known {
    std::map<Set, Value> Numbers;
    std::vector<const Set *> Sets;
    std::map<std::pair<Value, std::u32string>, Value> Next; ///< -1: violated.
  };
  Value number(Known &Of, Set S) const;
  Value after(Known &Of, Value From, unsigned Thread, char32_t Is,
              bool IsResponse) const;

  const Program &P;
  mutable std::vector<Known> All; ///< By register.
};

} // namespace atsan::model

#endif // ATSAN_MODEL_LINEARIZABLEMONITOR_H
