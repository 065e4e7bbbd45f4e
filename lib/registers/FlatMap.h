//===- FlatMap.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash table with values of registers as keys, without an allocation for each
// of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_FLATMAP_H
#define ATSAN_REGISTERS_FLATMAP_H

#include "lib/registers/Operation.h"
#include <cstddef>
#include <vector>

namespace atsan::registers {

/// Spreads the bits of a key (Steele, Lea and Flood's mixer, SplitMix64).
inline uint64_t mix(uint64_t X) {
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9ull;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebull;
  return X ^ (X >> 31);
}

/// Open addressing with linear probing. Pointers to what it holds are valid
/// until the next get() or erase(). T is small and has a default.
template <class T> class FlatMap {
public:
  FlatMap() : Slots(16) {}

  /// Null if there is nothing for the key.
  const T *find(Value Key) const {
    for (size_t I = home(Key);; I = next(I)) {
      if (!Slots[I].Used)
        return nullptr;
      if (Slots[I].Key == Key)
        return &Slots[I].What;
    }
  }
  T *find(Value Key) {
    return const_cast<T *>(static_cast<const FlatMap *>(this)->find(Key));
  }
  /// What there is for the key, or a new default.
  T &get(Value Key) {
    if (2 * (Count + 1) > Slots.size())
      grow();
    size_t I = home(Key);
    for (; Slots[I].Used; I = next(I))
      if (Slots[I].Key == Key)
        return Slots[I].What;
    ++Count;
    Slots[I] = {Key, T(), true};
    return Slots[I].What;
  }
  /// The key must be there.
  void erase(Value Key) {
    size_t Hole = home(Key);
    while (Slots[Hole].Key != Key || !Slots[Hole].Used)
      Hole = next(Hole);
    --Count;
    // The entries behind it move up, unless that would put them before their
    // home.
    for (size_t I = next(Hole); Slots[I].Used; I = next(I)) {
      const size_t FromHome = (I - home(Slots[I].Key)) & (Slots.size() - 1);
      if (FromHome < ((I - Hole) & (Slots.size() - 1)))
        continue;
      Slots[Hole] = Slots[I];
      Hole = I;
    }
    Slots[Hole].Used = false;
  }

private:
  struct Slot {
    Value Key;
    T What;
    bool Used = false;
  };

  size_t home(Value Key) const {
    return mix(static_cast<uint64_t>(Key)) & (Slots.size() - 1);
  }
  size_t next(size_t I) const { return (I + 1) & (Slots.size() - 1); }
  void grow() {
    std::vector<Slot> Old(2 * Slots.size());
    Old.swap(Slots);
    for (const Slot &S : Old) {
      if (!S.Used)
        continue;
      size_t I = home(S.Key);
      while (Slots[I].Used)
        I = next(I);
      Slots[I] = S;
    }
  }

  std::vector<Slot> Slots;
  size_t Count = 0;
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_FLATMAP_H
