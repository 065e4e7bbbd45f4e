//===- Names.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers for names: of processes, of registers, and of values that are no
// whole numbers.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_NAMES_H
#define ATSAN_REGISTERS_NAMES_H

#include "lib/registers/Operation.h"
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace atsan::registers {

/// Numbers each name by the order in which names come. Not thread-safe.
class Names {
public:
  uint32_t number(std::string_view Name) {
    auto Found = Numbers.find(Name);
    if (Found != Numbers.end())
      return Found->second;
    Texts.emplace_back(Name);
    const auto New = static_cast<uint32_t>(Texts.size() - 1);
    Numbers.emplace(Texts.back(), New);
    return New;
  }
  const std::string &text(uint32_t Number) const { return Texts[Number]; }
  size_t size() const { return Texts.size(); }

private:
  std::deque<std::string> Texts;
  std::unordered_map<std::string_view, uint32_t> Numbers;
};

/// Values of registers: numbers stand for themselves, but for the 2^33 least
/// ones. These stand for words: names, and numbers in another writing, such as
/// 01, or so small that they have no other place; and for numbers in quotes.
class Values {
public:
  /// The value of a name, such as "nil", which is never a number.
  Value ofName(std::string_view Name) {
    return parse(Name) ? FirstQuoted + Value(Quoted.number(Name))
                       : FirstWord + Value(Words.number(Name));
  }
  /// The value of a word, which keeps its writing.
  Value ofWord(std::string_view Word);
  Value ofNumber(int64_t Number);

  /// The number that a value is; none: it is a name.
  std::optional<int64_t> number(Value V) const {
    if (V >= FirstNumber)
      return V;
    return V < FirstQuoted ? parse(text(V)) : std::nullopt;
  }
  /// The value that all writings of a number have.
  Value asNumber(Value V) {
    const std::optional<int64_t> Number = number(V);
    return Number ? ofNumber(*Number) : V;
  }
  /// The value that a text has with and without quotes.
  Value asText(Value V) { return V < FirstNumber ? ofWord(text(V)) : V; }

  /// The sum of two numbers, which wraps around.
  Value add(Value A, Value B) {
    return ofNumber(
        static_cast<int64_t>(uint64_t(*number(A)) + uint64_t(*number(B))));
  }
  /// The text \p Base with \p More behind it.
  Value append(Value Base, Value More) {
    return ofWord(text(Base) + text(More));
  }
  /// The value for people and for files.
  std::string text(Value V) const;

private:
  static constexpr Value FirstWord = std::numeric_limits<Value>::min();
  static constexpr Value FirstQuoted = FirstWord + (Value(1) << 32);
  static constexpr Value FirstNumber = FirstQuoted + (Value(1) << 32);

  /// The number of 64 bits that a text is, if it is one.
  static std::optional<int64_t> parse(std::string_view Text);

  Names Words, Quoted;
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_NAMES_H
