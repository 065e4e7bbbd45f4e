//===- StateTable.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/StateTable.h"
#include <cstring>

using namespace atsan::model;

StateTable::StateTable(const std::vector<Machine::Field> &Fields)
    : Table(1024, None) {
  uint32_t Word = 0;
  unsigned Used = 0;
  for (const Machine::Field &F : Fields) {
    if (Used + F.Bits > 64) {
      ++Word;
      Used = 0;
    }
    Slots.push_back({Word, static_cast<uint8_t>(Used),
                     static_cast<uint8_t>(F.Bits), F.Low});
    Used += F.Bits;
  }
  Size = Word + 1;
  Packed.resize(Size);
}

uint64_t StateTable::hash(const uint64_t *Of) const {
  uint64_t H = 0x9e3779b97f4a7c15u;
  for (size_t I = 0; I < Size; ++I) {
    H = (H ^ Of[I]) * 0xff51afd7ed558ccdu;
    H ^= H >> 32;
  }
  return H;
}

uint32_t StateTable::add(const Value *State, uint32_t Parent) {
  std::fill(Packed.begin(), Packed.end(), 0);
  for (size_t I = 0; I < Slots.size(); ++I) {
    const Slot &S = Slots[I];
    if (S.Bits)
      Packed[S.Word] |= static_cast<uint64_t>(int64_t(State[I]) - S.Low)
                        << S.Shift;
  }
  if (2 * (Parents.size() + 1) > Table.size())
    grow();
  const size_t Mask = Table.size() - 1;
  size_t At = hash(Packed.data()) & Mask;
  for (; Table[At] != None; At = (At + 1) & Mask)
    if (!memcmp(words(Table[At]), Packed.data(), Size * sizeof(uint64_t))) {
      WasNew = false;
      return Table[At];
    }
  WasNew = true;
  Table[At] = Parents.size();
  Words.insert(Words.end(), Packed.begin(), Packed.end());
  Parents.push_back(Parent);
  return Table[At];
}

void StateTable::get(uint32_t Number, Value *State) const {
  const uint64_t *From = words(Number);
  for (size_t I = 0; I < Slots.size(); ++I) {
    const Slot &S = Slots[I];
    const uint64_t Bits =
        S.Bits ? From[S.Word] >> S.Shift & (UINT64_MAX >> (64 - S.Bits)) : 0;
    State[I] = static_cast<Value>(int64_t(Bits) + S.Low);
  }
}

void StateTable::grow() {
  Table.assign(2 * Table.size(), None);
  const size_t Mask = Table.size() - 1;
  for (uint32_t N = 0; N < Parents.size(); ++N) {
    size_t At = hash(words(N)) & Mask;
    while (Table[At] != None)
      At = (At + 1) & Mask;
    Table[At] = N;
  }
}

size_t StateTable::bytes() const {
  return Words.capacity() * sizeof(uint64_t) +
         (Parents.capacity() + Table.capacity()) * sizeof(uint32_t);
}
