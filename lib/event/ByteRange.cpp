//===- ByteRange.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/event/ByteRange.h"
#include <cerrno>
#include <cstdlib>

using namespace atsan::trace;

static bool parseNumber(const char *&Text, uint64_t &Number) {
  if (*Text < '0' || *Text > '9')
    return false;
  char *End;
  errno = 0;
  Number = std::strtoull(Text, &End, 0);
  const bool IsWhole = errno == 0 && End != Text;
  Text = End;
  return IsWhole;
}

std::optional<ByteRange> ByteRange::parse(const std::string &Text) {
  ByteRange Result;
  const char *P = Text.c_str();
  if (!parseNumber(P, Result.Begin))
    return std::nullopt;
  Result.Last = Result.Begin;
  if (*P == '-') {
    ++P;
    if (!parseNumber(P, Result.Last))
      return std::nullopt;
  }
  if (P != Text.c_str() + Text.size() || Result.Last < Result.Begin)
    return std::nullopt;
  return Result;
}
