//===- NameListFuzzer.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of names and functions, whatever is in them: the first line of the
// input is a name, the others are patterns. Nothing is read beyond either,
// and a pattern without special characters matches itself.
//
//===----------------------------------------------------------------------===//

#include "lib/base/NamePattern.h"

#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

using namespace atsan_names;

// In memory of its own, whose ends AddressSanitizer knows.
struct Copy {
  std::vector<char> Data;
  Copy(const char *Begin, const char *End) : Data(Begin, End) {
    Data.shrink_to_fit();
  }
  Text text() const { return {Data.data(), Data.data() + Data.size()}; }
};

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  const char *begin = reinterpret_cast<const char *>(data), *end = begin + size;
  const char *line = begin;
  while (line != end && *line != '\n')
    line++;
  const Copy name(begin, line), list(line, end);
  unsigned number = 0;
  for (Lines lines(list.text()); lines.Next();) {
    if (lines.number <= number || !lines.pattern.Size())
      abort();
    number = lines.number;
    const Copy pattern(lines.pattern.begin, lines.pattern.end);
    Problem(pattern.text());
    MatchesName(pattern.text(), name.text());
    const bool special = memchr(pattern.Data.data(), '\\', pattern.Data.size());
    if (!special && !Matches(pattern.text(), pattern.text()))
      abort();
  }
  return 0;
}
