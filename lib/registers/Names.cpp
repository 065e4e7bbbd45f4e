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

Value Values::ofText(std::string_view Text) {
  Value Number = 0;
  const char *Begin = Text.begin(), *const End = Text.end();
  // What from_chars does not take: a plus.
  if (Text.size() > 1 && Text[0] == '+' && Text[1] != '-')
    ++Begin;
  const auto [At, Error] = std::from_chars(Begin, End, Number);
  if (Error == std::errc() && At == End && !Text.empty() && !isName(Number))
    return Number;
  return ofName(Text);
}

std::string Values::text(Value V) const {
  return isName(V) ? std::string(name(V)) : std::to_string(V);
}

Value Values::append(Value Base, Value More) {
  return ofName(text(Base) + text(More));
}
