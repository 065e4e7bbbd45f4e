//===- Files.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Files.h"
#include <cstdio>

namespace atsan::report {

bool readFile(const std::string &Name, std::string &Text) {
  std::FILE *File = std::fopen(Name.c_str(), "rb");
  if (!File)
    return false;
  char Buffer[1 << 16];
  while (size_t Size = std::fread(Buffer, 1, sizeof(Buffer), File))
    Text.append(Buffer, Size);
  const bool Failed = std::ferror(File) != 0;
  std::fclose(File);
  return !Failed;
}

bool writeFile(const std::string &Name, const std::string &Text) {
  std::FILE *File = std::fopen(Name.c_str(), "wb");
  if (!File)
    return false;
  const bool Written =
      std::fwrite(Text.data(), 1, Text.size(), File) == Text.size();
  return std::fclose(File) == 0 && Written;
}

} // namespace atsan::report
