//===- Limits.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Limits.h"
#include <algorithm>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace atsan::check;

uint64_t atsan::check::residentBytes() {
  std::ifstream File("/proc/self/statm");
  uint64_t Pages = 0, Resident = 0;
  if (!(File >> Pages >> Resident))
    return 0;
  return Resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string Limits::memoryIsReached(uint64_t MaxBytes) {
  return "--max-memory is reached (" + std::to_string(MaxBytes >> 20) +
         " MiB); allow more memory";
}

bool Limits::look() {
  if (!Why.empty())
    return true;
  ++Looks;
  std::ostringstream Text;
  if (MaxSeconds > 0) {
    const std::chrono::duration<double> Spent =
        std::chrono::steady_clock::now() - Begin;
    if (Spent.count() >= MaxSeconds)
      Text << "--max-seconds=" << MaxSeconds << " is reached; allow more time";
  }
  if (MaxMemoryBytes) {
    const uint64_t Has = residentBytes();
    BytesLeft = MaxMemoryBytes - std::min(Has, MaxMemoryBytes);
    if (!BytesLeft)
      Text << memoryIsReached(MaxMemoryBytes);
  }
  Why = Text.str();
  return !Why.empty();
}
