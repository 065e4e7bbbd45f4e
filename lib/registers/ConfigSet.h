//===- ConfigSet.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Configurations of the frontier: which open operations have taken effect, and
// what value that left.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_CONFIGSET_H
#define ATSAN_REGISTERS_CONFIGSET_H

#include "lib/registers/FlatMap.h"
#include <algorithm>
#include <array>

namespace atsan::registers {

/// A set of slots. An open operation has a slot.
template <unsigned Words> struct SlotSet {
  std::array<uint64_t, Words> Word = {};

  bool has(unsigned S) const { return Word[S / 64] >> (S % 64) & 1; }
  void add(unsigned S) { Word[S / 64] |= uint64_t(1) << (S % 64); }
  void remove(unsigned S) { Word[S / 64] &= ~(uint64_t(1) << (S % 64)); }
  bool operator==(const SlotSet &B) const { return Word == B.Word; }
  bool operator<(const SlotSet &B) const { return Word < B.Word; }
  bool isEmpty() const { return *this == SlotSet(); }
  bool isIn(const SlotSet &B) const { return without(B).isEmpty(); }
  SlotSet without(const SlotSet &B) const {
    SlotSet Out;
    for (unsigned I = 0; I != Words; ++I)
      Out.Word[I] = Word[I] & ~B.Word[I];
    return Out;
  }
  /// Calls Function(Slot) until it returns true; returns whether it did.
  template <class T> bool any(T Function) const {
    for (unsigned I = 0; I != Words; ++I)
      for (uint64_t Left = Word[I]; Left; Left &= Left - 1)
        if (Function(64 * I + static_cast<unsigned>(__builtin_ctzll(Left))))
          return true;
    return false;
  }
  unsigned lowestFree() const {
    for (unsigned I = 0; I != Words; ++I)
      if (~Word[I])
        return 64 * I + static_cast<unsigned>(__builtin_ctzll(~Word[I]));
    return 64 * Words;
  }
};

template <unsigned Words> struct Config {
  SlotSet<Words> Done;
  Value Held = 0;
  uint32_t Past = 0; ///< What has taken effect, in Linearized (Frontier.cpp).

  uint64_t hash() const {
    uint64_t H = mix(static_cast<uint64_t>(Held) + 0x9e3779b97f4a7c15ull);
    for (uint64_t W : Done.Word)
      H = mix(H ^ W);
    return H;
  }
  bool isAs(const Config &B) const { return Held == B.Held && Done == B.Done; }
};

/// A set that keeps the order of insertion, and is quick to empty.
template <unsigned Words> class ConfigSet {
public:
  using Entry = Config<Words>;

  /// Returns whether it is new.
  bool insert(const Entry &New) {
    if (2 * (Entries.size() + 1) > Table.size())
      grow();
    const size_t I = place(New);
    if (Table[I])
      return false;
    Entries.push_back(New);
    Table[I] = static_cast<uint32_t>(Entries.size());
    return true;
  }
  void clear() {
    if (Entries.size() * 8 > Table.size())
      std::fill(Table.begin(), Table.end(), 0);
    else
      // From the last one on: what another one stood in the way of is found.
      for (size_t I = Entries.size(); I--;)
        Table[place(Entries[I])] = 0;
    Entries.clear();
  }
  void swap(ConfigSet &B) noexcept {
    Entries.swap(B.Entries);
    Table.swap(B.Table);
  }
  /// Changes all entries by a function.
  template <class T> void rewrite(T Function) {
    std::vector<Entry> Old;
    Old.swap(Entries);
    std::fill(Table.begin(), Table.end(), 0);
    for (Entry &E : Old) {
      Function(E);
      insert(E);
    }
  }
  size_t size() const { return Entries.size(); }
  bool empty() const { return Entries.empty(); }
  const Entry &operator[](size_t I) const { return Entries[I]; }
  const Entry *begin() const { return Entries.data(); }
  const Entry *end() const { return Entries.data() + Entries.size(); }
  uint64_t bytes() const {
    return Entries.capacity() * sizeof(Entry) +
           Table.capacity() * sizeof(uint32_t);
  }

private:
  size_t place(const Entry &E) const {
    size_t I = E.hash() & (Table.size() - 1);
    while (Table[I] && !Entries[Table[I] - 1].isAs(E))
      I = (I + 1) & (Table.size() - 1);
    return I;
  }
  void grow() {
    Table.assign(std::max<size_t>(64, 2 * Table.size()), 0);
    for (size_t I = 0; I != Entries.size(); ++I)
      Table[place(Entries[I])] = static_cast<uint32_t>(I + 1);
  }

  std::vector<Entry> Entries;
  std::vector<uint32_t> Table; ///< The index of an entry plus 1; 0: free.
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_CONFIGSET_H
