//===- Limits.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Limits.h"
#include "lib/base/ResidentMemory.h"
#include <algorithm>
#include <sstream>

using namespace atsan::check;

std::string Limits::memoryIsReached(uint64_t MaxBytes) {
  return "--max-memory is reached (" +
         (MaxBytes >> 20 ? std::to_string(MaxBytes >> 20) + " MiB"
                         : std::to_string(MaxBytes) + " bytes") +
         "); allow more memory";
}

bool Limits::look() {
  if (!Why.empty())
    return true;
  ++Looks;
  std::ostringstream Text;
  if (MaxMemoryBytes) {
    const uint64_t Has = residentBytes();
    BytesLeft = MaxMemoryBytes - std::min(Has, MaxMemoryBytes);
    if (!BytesLeft)
      Text << memoryIsReached(MaxMemoryBytes);
  }
  if (MaxSeconds > 0 && Text.str().empty()) {
    const std::chrono::duration<double> Spent =
        std::chrono::steady_clock::now() - Begin;
    if (Spent.count() >= MaxSeconds * Share)
      Text << (Share < 1 ? "the search has had its share of --max-seconds="
                         : "--max-seconds=")
           << MaxSeconds << (Share < 1 ? "" : " is reached")
           << "; allow more time";
  }
  Why = Text.str();
  return !Why.empty();
}
