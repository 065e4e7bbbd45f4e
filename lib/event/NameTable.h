//===- NameTable.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers the names of a text, from 0 in the order of their first appearance.
// A look-up is the hot path of reading text: a name of up to 8 bytes is its own
// key, and is compared without looking at the table's text.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_EVENT_NAMETABLE_H
#define ATSAN_EVENT_NAMETABLE_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace atsan::trace {

/// Not thread-safe.
class NameTable {
public:
  static constexpr uint32_t None = UINT32_MAX;
  /// How many bytes at the begin of a name must be readable, however short it
  /// is.
  static constexpr size_t Readable = 8;

  /// The number of a name; None if it is new.
  uint32_t find(const char *Text, size_t Size) const {
    if (!isShort(Size))
      return findLong(Text, Size);
    const uint64_t Key = shortKey(Text, Size);
    for (size_t I = indexOf(Key);; I = (I + 1) & Mask) {
      const Slot &S = Slots[I];
      if (S.Key == Key && S.Size == Size)
        return S.Number;
      if (S.Number == None)
        return None;
    }
  }

  /// Adds a name that is new, and returns its number.
  uint32_t add(const char *Text, size_t Size) {
    if (2 * (Texts.size() + 1) > Slots.size())
      grow();
    const auto Number = static_cast<uint32_t>(Texts.size());
    Texts.emplace_back(Text, Size);
    insert({isShort(Size) ? shortKey(Text, Size) : longKey(Text, Size), Number,
            static_cast<uint32_t>(Size)});
    return Number;
  }

  size_t size() const { return Texts.size(); }
  const std::string &operator[](size_t Number) const { return Texts[Number]; }

private:
  struct Slot {
    uint64_t Key;
    uint32_t Number; ///< None: the slot is free.
    uint32_t Size;
  };

  static uint64_t word(const char *Text) {
    uint64_t Result;
    std::memcpy(&Result, Text, sizeof(Result));
    return Result;
  }
  static uint64_t mix(uint64_t X) {
    return (X ^ (X >> 29)) * 0x9e3779b97f4a7c15u;
  }
  static bool isShort(size_t Size) { return Size - 1 < 8; }
  static uint64_t shortKey(const char *Text, size_t Size) {
    return word(Text) & (UINT64_MAX >> (64 - 8 * Size));
  }
  static uint64_t longKey(const char *Text, size_t Size) {
    uint64_t Key = Size;
    for (size_t At = 0; At + 8 < Size; At += 8)
      Key = mix(Key ^ word(Text + At));
    return Size < 8 ? 0 : mix(Key) ^ word(Text + Size - 8);
  }
  [[gnu::noinline]] uint32_t findLong(const char *Text, size_t Size) const {
    const uint64_t Key = longKey(Text, Size);
    for (size_t I = indexOf(Key);; I = (I + 1) & Mask) {
      const Slot &S = Slots[I];
      if (S.Number == None)
        return None;
      if (S.Key == Key && S.Size == Size &&
          !std::memcmp(Texts[S.Number].data(), Text, Size))
        return S.Number;
    }
  }
  size_t indexOf(uint64_t Key) const { return mix(Key) >> Shift; }

  void insert(const Slot &New) {
    size_t I = indexOf(New.Key);
    while (Slots[I].Number != None)
      I = (I + 1) & Mask;
    Slots[I] = New;
  }
  void grow() {
    const std::vector<Slot> Old = std::move(Slots);
    --Shift;
    Slots.assign(2 * Old.size(), Free);
    Mask = Slots.size() - 1;
    for (const Slot &S : Old)
      if (S.Number != None)
        insert(S);
  }

  static constexpr Slot Free = {0, None, 0};
  std::vector<Slot> Slots = std::vector<Slot>(256, Free);
  size_t Mask = 255;
  unsigned Shift = 56;
  std::vector<std::string> Texts;
};

} // namespace atsan::trace

#endif // ATSAN_EVENT_NAMETABLE_H
