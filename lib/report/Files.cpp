//===- Files.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Files.h"
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>

namespace atsan::report {

bool readFile(const std::string &Name, std::string &Text) {
  std::FILE *File = std::fopen(Name.c_str(), "rb");
  if (!File)
    return false;
  // What is no regular file, such as /dev/zero, may have no end.
  constexpr size_t MostOfStream = size_t(1) << 28;
  struct stat Status;
  const bool HasEnd =
      fstat(fileno(File), &Status) == 0 && S_ISREG(Status.st_mode);
  char Buffer[1 << 16];
  int Error = 0;
  while (size_t Size = std::fread(Buffer, 1, sizeof(Buffer), File)) {
    Text.append(Buffer, Size);
    if (HasEnd || Text.size() <= MostOfStream)
      continue;
    Text.clear();
    Error = EFBIG;
    break;
  }
  if (std::ferror(File))
    Error = errno;
  std::fclose(File);
  errno = Error;
  return !Error;
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
