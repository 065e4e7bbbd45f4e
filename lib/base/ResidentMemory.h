//===- ResidentMemory.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory that this process has, for those who stay within a limit.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_BASE_RESIDENTMEMORY_H
#define ATSAN_BASE_RESIDENTMEMORY_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace atsan {

/// In bytes; 0 if the system does not tell. A system call or more, and it
/// allocates.
inline uint64_t residentBytes() {
  FILE *File = std::fopen("/proc/self/statm", "re");
  if (!File)
    return 0;
  // The second number of the line.
  char Line[128], *Second = Line;
  unsigned long long Pages = 0;
  if (std::fgets(Line, sizeof(Line), File)) {
    std::strtoull(Line, &Second, 10);
    Pages = std::strtoull(Second, nullptr, 10);
  }
  std::fclose(File);
  return Pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace atsan

#endif // ATSAN_BASE_RESIDENTMEMORY_H
