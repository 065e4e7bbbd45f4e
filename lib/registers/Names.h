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

/// Values of registers. The 2^32 least numbers of 64 bits stand for names.
class Values {
public:
  static constexpr Value FirstNumber =
      std::numeric_limits<Value>::min() + (Value(1) << 32);

  static bool isName(Value V) { return V < FirstNumber; }
  /// The value of a name, such as "nil".
  Value ofName(std::string_view Name) {
    return std::numeric_limits<Value>::min() + Value(Known.number(Name));
  }
  /// The value that a text stands for: a number if it is one of 64 bits.
  Value ofText(std::string_view Text);
  /// The text \p Base with \p More behind it. A base that is no text has none.
  Value append(Value Base, Value More);
  /// The value for people and for files.
  std::string text(Value V) const;

private:
  std::string_view name(Value V) const {
    return Known.text(
        static_cast<uint32_t>(V - std::numeric_limits<Value>::min()));
  }

  Names Known;
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_NAMES_H
