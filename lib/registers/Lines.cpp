//===- Lines.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Lines.h"
#include <algorithm>
#include <cstring>

using namespace atsan::registers;

/// Reads more behind what is there. Returns false at the end.
bool Lines::fill() {
  std::memmove(Buffer.data(), Buffer.data() + Begin, End - Begin);
  End -= Begin;
  Begin = 0;
  if (End == Buffer.size()) {
    if (Buffer.size() >= LongestLine)
      throw FormatError("the line is longer than 64 MiB; is this a history?");
    Buffer.resize(2 * Buffer.size());
  }
  const size_t More = From(Buffer.data() + End, Buffer.size() - End);
  End += More;
  return More != 0;
}

bool Lines::isText() const {
  return std::all_of(Last.begin(), Last.end(),
                     [](unsigned char C) { return C >= ' ' || C == '\t'; });
}

bool Lines::next(std::string_view &Line) {
  if (IsUnread) {
    IsUnread = false;
    Line = Last;
    return true;
  }
  ++Number;
  size_t Searched = 0;
  for (;;) {
    const char *At = Buffer.data() + Begin;
    const void *Break =
        std::memchr(At + Searched, '\n', End - Begin - Searched);
    if (Break) {
      size_t Size = static_cast<const char *>(Break) - At;
      Begin += Size + 1;
      if (Size && At[Size - 1] == '\r')
        --Size;
      Line = Last = {At, Size};
      return true;
    }
    Searched = End - Begin;
    if (!fill())
      break;
  }
  if (Begin == End)
    return false;
  throw FormatError("the last line has no line break, so the file is cut; "
                    "write it anew, or, if it is whole, end the line");
}
