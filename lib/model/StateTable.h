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

#include "lib/model/Machine.h"

namespace atsan::model {

class StateTable {
public:
  explicit StateTable(const std::vector<Machine::Field> &Fields);

  /// The number of the state, from 0 in the order of first additions; a new one
  /// if it was not there, with this parent.
  uint32_t add(const Value *State, uint32_t Parent) {
    forget();
    prepare(State);
    return addPrepared(0, Parent);
  }
  /// Adds several states in two steps, which is quicker: memory is asked for
  /// while the next ones are prepared. \p I counts from forget().
  void forget() { Batch.clear(); }
  void prepare(const Value *State);
  uint32_t addPrepared(size_t I, uint32_t Parent);
  bool wasNew() const { return WasNew; }
  void get(uint32_t Number, Value *State) const;
  uint32_t parent(uint32_t Number) const { return Parents[Number]; }
  size_t size() const { return Parents.size(); }
  size_t bytes() const;

  static constexpr uint32_t None = UINT32_MAX;

private:
  /// Where a value is in a packed state. Values of no bits are in none.
  struct Slot {
    uint32_t Field;
    uint32_t Word;
    uint8_t Shift;
    uint8_t Bits;
    Value Low;
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

  std::vector<Slot> Slots;
  std::vector<Value> Constants; ///< By field, for those of no bits.
  size_t Size = 1;              ///< Words of a state.
  std::vector<uint64_t> Words;
  std::vector<uint32_t> Parents;
  std::vector<Entry> Table;    ///< By hash.
  std::vector<uint64_t> Batch; ///< What is prepared: each state with its hash.
  bool WasNew = false;
};

} // namespace atsan::model

#endif // ATSAN_MODEL_STATETABLE_H
