//===- Identity.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Identity.h"
#include "lib/finding/Places.h"
#include <algorithm>
#include <cstdio>

namespace atsan::finding {

void Identity::add(const std::string &Text) {
  for (size_t I = 0; I <= Text.size(); ++I)
    Value = (Value ^ static_cast<unsigned char>(Text.c_str()[I])) *
            0x100000001b3ull;
}

void Identity::addCode(const Stack &Frames) {
  const Frame *F = userFrame(Frames);
  add(F ? F->Function : "no stack");
  add(F ? F->File.substr(F->File.rfind('/') + 1) : "");
}

std::string Identity::result(char Tool) const {
  char Text[32];
  snprintf(Text, sizeof Text, "%c1-%016llx", Tool,
           static_cast<unsigned long long>(Value));
  return Text;
}

Frame lineOf(const std::string &File, uint64_t Line) {
  Frame Out;
  Out.File = File;
  Out.Line = static_cast<unsigned>(std::min<uint64_t>(Line, 0x7fffffff));
  return Out;
}

} // namespace atsan::finding
