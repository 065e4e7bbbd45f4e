//===- StateTable.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/StateTable.h"
#include <algorithm>

using namespace atsan::model;

StateTable::StateTable(const std::vector<Machine::Field> &Fields)
    : Table(1024) {
  uint32_t Word = 0;
  unsigned Used = 0;
  for (const Machine::Field &F : Fields) {
    const uint32_t Field = Constants.size();
    Constants.push_back(F.Low);
    if (!F.Bits)
      continue;
    if (Used + F.Bits > 64) {
      ++Word;
      Used = 0;
    }
    Slots.push_back({Field, Word, static_cast<uint8_t>(Used),
                     static_cast<uint8_t>(F.Bits), F.Low});
    Used += F.Bits;
  }
  Size = Word + 1;
}

uint64_t StateTable::hash(const uint64_t *Of) const {
  uint64_t H = 0x9e3779b97f4a7c15u;
  for (size_t I = 0; I < Size; ++I) {
    H = (H ^ Of[I]) * 0xff51afd7ed558ccdu;
    H ^= H >> 32;
  }
  return H;
}

bool StateTable::isEqual(uint32_t Number, const uint64_t *Packed) const {
  const uint64_t *Old = words(Number);
  for (size_t I = 0; I < Size; ++I)
    if (Old[I] != Packed[I])
      return false;
  return true;
}

void StateTable::prepare(const Value *State) {
  const size_t Begin = Batch.size();
  Batch.resize(Begin + Size + 1);
  uint64_t *To = Batch.data() + Begin;
  uint64_t Now = 0; // The word that is being filled.
  uint32_t Word = 0;
  for (const Slot &S : Slots) {
    if (S.Word != Word) {
      To[Word] = Now;
      Word = S.Word;
      Now = 0;
    }
    Now |= static_cast<uint64_t>(int64_t(State[S.Field]) - S.Low) << S.Shift;
  }
  To[Word] = Now;
  To[Size] = hash(To);
  __builtin_prefetch(&Table[To[Size] & (Table.size() - 1)]);
}

uint32_t StateTable::addPrepared(size_t I, uint32_t Parent) {
  if (2 * (Parents.size() + 1) > Table.size())
    grow();
  const uint64_t *Packed = Batch.data() + I * (Size + 1);
  const size_t Mask = Table.size() - 1;
  const uint64_t H = Packed[Size];
  const auto Upper = static_cast<uint32_t>(H >> 32);
  size_t At = H & Mask;
  for (; Table[At].Number != None; At = (At + 1) & Mask)
    if (Table[At].Hash == Upper && isEqual(Table[At].Number, Packed)) {
      WasNew = false;
      return Table[At].Number;
    }
  WasNew = true;
  Table[At] = {static_cast<uint32_t>(Parents.size()), Upper};
  Words.insert(Words.end(), Packed, Packed + Size);
  Parents.push_back(Parent);
  return Table[At].Number;
}

void StateTable::get(uint32_t Number, Value *State) const {
  const uint64_t *From = words(Number);
  std::copy(Constants.begin(), Constants.end(), State);
  for (const Slot &S : Slots) {
    const uint64_t Bits =
        From[S.Word] >> S.Shift & (UINT64_MAX >> (64 - S.Bits));
    State[S.Field] = static_cast<Value>(int64_t(Bits) + S.Low);
  }
}

void StateTable::grow() {
  std::vector<Entry> Larger(2 * Table.size());
  const size_t Mask = Larger.size() - 1;
  for (uint32_t N = 0; N < Parents.size(); ++N) {
    const uint64_t H = hash(words(N));
    size_t At = H & Mask;
    while (Larger[At].Number != None)
      At = (At + 1) & Mask;
    Larger[At] = {N, static_cast<uint32_t>(H >> 32)};
  }
  Table = std::move(Larger);
}

size_t StateTable::bytes() const {
  return Words.capacity() * sizeof(uint64_t) +
         Parents.capacity() * sizeof(uint32_t) +
         Table.capacity() * sizeof(Entry);
}
