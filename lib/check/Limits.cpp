//===- Limits.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Limits.h"
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace atsan::check;

// The memory of the process; 0 where /proc is missing: then there is no limit.
static uint64_t residentBytes() {
  std::ifstream File("/proc/self/statm");
  uint64_t Pages = 0, Resident = 0;
  if (!(File >> Pages >> Resident))
    return 0;
  return Resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

bool Limits::look() {
  if (!Why.empty())
    return true;
  std::ostringstream Text;
  if (MaxSeconds > 0) {
    const std::chrono::duration<double> Spent =
        std::chrono::steady_clock::now() - Begin;
    if (Spent.count() >= MaxSeconds)
      Text << "--max-seconds=" << MaxSeconds << " is reached; allow more time";
  }
  if (MaxMemoryBytes && residentBytes() >= MaxMemoryBytes)
    Text << "--max-memory is reached (" << (MaxMemoryBytes >> 20)
         << " MiB); allow more memory";
  Why = Text.str();
  return !Why.empty();
}
