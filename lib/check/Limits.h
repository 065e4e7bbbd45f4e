//===- Limits.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When an analysis gives up: --max-memory, --max-seconds, or a reason of its
// own.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LIMITS_H
#define ATSAN_CHECK_LIMITS_H

#include "lib/check/Analysis.h"
#include <chrono>

namespace atsan::check {

/// Limits of time and memory. The time counts from the construction; the memory
/// is that of the whole process, of which the analyses are nearly all.
class Limits {
public:
  /// \p Share: how much of the time it may take, for a part of the work.
  explicit Limits(const Options &O, double Share = 1)
      : MaxMemoryBytes(O.MaxMemoryBytes), MaxSeconds(O.MaxSeconds),
        Share(Share), Begin(std::chrono::steady_clock::now()) {}

  /// To be asked often: looks at the clock now and then, and at the memory when
  /// some time has gone by, however much an event costs. \p Interval: how
  /// often it is asked until it looks at the clock.
  bool reached(uint64_t Interval = 16) {
    if (!Why.empty())
      return true;
    if (++Asked < Interval)
      return false;
    Asked = 0;
    const auto Now = std::chrono::steady_clock::now();
    if (Now - LastLook < LookAgain)
      return false;
    LastLook = Now;
    return look();
  }
  /// Looks at the clock and the memory now.
  bool look();
  /// Makes the limit reached from here on, for a reason.
  void giveUp(std::string Reason) { Why = std::move(Reason); }

  /// How much of --max-memory was left at the last look, and how many looks
  /// there were.
  uint64_t bytesLeft() const { return BytesLeft; }
  uint64_t looks() const { return Looks; }

  /// What is said when --max-memory is reached, with the remedy.
  static std::string memoryIsReached(uint64_t MaxBytes);

  /// The limit that was reached, with the remedy; empty if none was.
  const std::string &why() const { return Why; }

private:
  static constexpr std::chrono::milliseconds LookAgain{5};

  uint64_t MaxMemoryBytes;
  double MaxSeconds, Share;
  std::chrono::steady_clock::time_point Begin;
  std::chrono::steady_clock::time_point LastLook; ///< At first, long ago.
  uint64_t Asked = 0;
  uint64_t BytesLeft = UINT64_MAX;
  uint64_t Looks = 0;
  std::string Why;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LIMITS_H
