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
#include <cstring>

using namespace atsan::model;

StateTable::StateTable(const std::vector<Machine::Field> &Fields)
    : Table(1024) {
  unsigned Used = 0; // Bits of the last word.
  for (const Machine::Field &F : Fields) {
    if (Used + F.Bits > 64) {
      ++Size;
      Used = 0;
    }
    const uint32_t Mask = (uint64_t(1) << F.Bits) - 1;
    // Shifts of 64 bits are undefined, also where a field has none.
    Slots.push_back({F.Low, Mask, uint32_t(Size - 1), Used % 64});
    Used += F.Bits;
    Like.push_back(F.Low);
  }
  LikePacked.resize(Size + 1);
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
  Batch.insert(Batch.end(), LikePacked.begin(), LikePacked.end());
  uint64_t *To = Batch.data() + Begin;
  const auto Repack = [&](size_t F) {
    if (State[F] == Like[F])
      return;
    const Slot &S = Slots[F];
    const uint32_t Low = S.Low;
    To[S.Word] ^= uint64_t((State[F] - Low) ^ (Like[F] - Low)) << S.Shift;
  };
  // Few differ: four are compared at once.
  size_t F = 0;
  for (; F + 4 <= Slots.size(); F += 4)
    if (std::memcmp(State + F, Like.data() + F, 4 * sizeof(Value)) != 0)
      for (size_t I = F; I < F + 4; ++I)
        Repack(I);
  for (; F < Slots.size(); ++F)
    Repack(F);
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
    if (Table[At].Hash == Upper && isEqual(Table[At].Number, Packed))
      return Table[At].Number;
  Table[At] = {static_cast<uint32_t>(Parents.size()), Upper};
  Words.insert(Words.end(), Packed, Packed + Size);
  Parents.push_back(Parent);
  return Table[At].Number;
}

void StateTable::get(uint32_t Number, Value *State) const {
  const uint64_t *From = words(Number);
  for (const Slot &S : Slots)
    *State++ = uint32_t(S.Low) + (uint32_t(From[S.Word] >> S.Shift) & S.Mask);
}

void StateTable::begin(uint32_t From, Value *State) {
  get(From, State);
  Like.assign(State, State + Slots.size());
  std::copy_n(words(From), Size, LikePacked.begin());
}

void StateTable::grow() {
  Large<Entry> Larger(2 * Table.size());
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
