//===- StateTable.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All states that a search has found, packed, each once.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_STATETABLE_H
#define ATSAN_MODEL_STATETABLE_H

#include "lib/base/HugePages.h"
#include "lib/model/Machine.h"

namespace atsan::model {

class StateTable {
public:
  explicit StateTable(const std::vector<Machine::Field> &Fields);

  /// States are added in two steps, several at once: memory is asked for while
  /// the next ones are prepared. \p I counts from forget().
  void forget() { Batch.clear(); }
  /// Gets a state, and expects that what is prepared next has most values of
  /// it. Others are prepared more slowly.
  void begin(uint32_t From, Value *State);
  void prepare(const Value *State);
  /// The number of the state, from 0 in the order of first additions; a new one
  /// if it was not there, with this parent.
  uint32_t addPrepared(size_t I, uint32_t Parent);
  void get(uint32_t Number, Value *State) const;
  uint32_t parent(uint32_t Number) const { return Parents[Number]; }
  size_t size() const { return Parents.size(); }
  size_t bytes() const;

  static constexpr uint32_t None = UINT32_MAX;

private:
  /// Where a field is in a packed state.
  struct Slot {
    Value Low = 0;
    uint32_t Mask = 0; ///< Its lowest bits are ones, for each bit of the field.
    uint32_t Word = 0;
    uint32_t Shift = 0;
  };
  /// A place of the hash table: the state's number, and the upper half of its
  /// hash, so that few states have to be looked at.
  struct Entry {
    uint32_t Number = None;
    uint32_t Hash = 0;
  };
  const uint64_t *words(uint32_t Number) const {
    return Words.data() + size_t(Number) * Size;
  }
  uint64_t hash(const uint64_t *Of) const;
  bool isEqual(uint32_t Number, const uint64_t *Packed) const;
  void grow();

  std::vector<Slot> Slots;          ///< By field.
  std::vector<Value> Like;          ///< What is expected, by field,
  std::vector<uint64_t> LikePacked; ///< and packed, with room for a hash.
  size_t Size = 1;                  ///< Words of a state.
  template <typename T> using Large = std::vector<T, HugePages<T>>;
  Large<uint64_t> Words;
  Large<uint32_t> Parents;
  Large<Entry> Table;          ///< By hash.
  std::vector<uint64_t> Batch; ///< What is prepared: each state with its hash.
};

} // namespace atsan::model

#endif // ATSAN_MODEL_STATETABLE_H
