//===- Names.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Names.h"
#include <charconv>

using namespace atsan::registers;

std::optional<int64_t> Values::parse(std::string_view Text) {
  int64_t Number = 0;
  const char *Begin = Text.data(), *const End = Begin + Text.size();
  // What from_chars does not take: a plus.
  if (Text.size() > 1 && Text[0] == '+' && Text[1] != '-')
    ++Begin;
  const auto [At, Error] = std::from_chars(Begin, End, Number);
  if (Error != std::errc() || At != End || Text.empty())
    return std::nullopt;
  return Number;
}

Value Values::ofNumber(int64_t Number) {
  return Number >= FirstNumber
             ? Number
             : FirstWord + Value(Words.number(std::to_string(Number)));
}

Value Values::ofWord(std::string_view Word) {
  const std::optional<int64_t> Number = parse(Word);
  // In their usual writing, numbers have no plus and no zeros before them.
  if (Number && (Word == "0" ||
                 (Word[Word[0] == '-'] >= '1' && Word[Word[0] == '-'] <= '9')))
    return ofNumber(*Number);
  return FirstWord + Value(Words.number(Word));
}

std::string Values::text(Value V) const {
  if (V >= FirstNumber)
    return std::to_string(V);
  return V < FirstQuoted ? Words.text(static_cast<uint32_t>(V - FirstWord))
                         : Quoted.text(static_cast<uint32_t>(V - FirstQuoted));
}
