//===- Partition.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// States in classes that get finer round by round. Looked at again are only
// states with a step to one that got another class: few in each of the many
// rounds that a long chain takes.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_PARTITION_H
#define ATSAN_CAUSAL_PARTITION_H

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace atsan::causal {

class Partition {
public:
  /// All states are in class 0, and to be looked at.
  explicit Partition(uint32_t States)
      : Before(States), ClassOf(States), IsChanged(States, true),
        Changed(States) {
    std::iota(Changed.begin(), Changed.end(), 0);
    Members.push_back(Changed);
  }
  void addStep(uint32_t From, uint32_t To) { Before[To].push_back(From); }

  const std::vector<uint32_t> &classes() const { return ClassOf; }
  /// The states to be looked at. Those of a class that are not are alike.
  const std::vector<uint32_t> &changed() const { return Changed; }
  std::optional<uint32_t> unchangedOf(uint32_t Class) const {
    for (const uint32_t State : Members[Class])
      if (!IsChanged[State])
        return State;
    return std::nullopt;
  }

  /// What was to be looked at has been.
  void beginRound() {
    for (const uint32_t State : std::exchange(Changed, {}))
      IsChanged[State] = false;
  }
  /// Makes some states of a class a new class.
  void move(uint32_t Class, std::vector<uint32_t> States) {
    for (const uint32_t State : States) {
      ClassOf[State] = Members.size();
      for (const uint32_t From : Before[State])
        if (!IsChanged[From]) {
          IsChanged[From] = true;
          Changed.push_back(From);
        }
    }
    std::vector<uint32_t> &Old = Members[Class];
    Old.erase(
        std::remove_if(Old.begin(), Old.end(),
                       [&](uint32_t State) { return ClassOf[State] != Class; }),
        Old.end());
    Members.push_back(std::move(States));
  }

private:
  std::vector<std::vector<uint32_t>> Before;  ///< States with a step to each.
  std::vector<std::vector<uint32_t>> Members; ///< By class.
  std::vector<uint32_t> ClassOf;
  std::vector<bool> IsChanged;
  std::vector<uint32_t> Changed;
};

} // namespace atsan::causal

#endif // ATSAN_CAUSAL_PARTITION_H
