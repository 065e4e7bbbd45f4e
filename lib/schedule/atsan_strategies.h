//===-- atsan_strategies.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes the strategies, one function for each.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_STRATEGIES_H
#define ATSAN_STRATEGIES_H

#include "lib/schedule/atsan_strategy.h"

namespace __atsan {

Strategy *NewRandomStrategy(const StrategyOptions &options);
Strategy *NewPctStrategy(const StrategyOptions &options);
Strategy *NewPosStrategy(const StrategyOptions &options);
Strategy *NewSurwStrategy(const StrategyOptions &options);
Strategy *NewSystematicStrategy(const StrategyOptions &options);

// Memory for an object that lives until the process ends.
template <typename T>
void *StorageFor() {
  return MmapOrDie(RoundUpTo(sizeof(T), GetPageSizeCached()), "schedule");
}

}  // namespace __atsan

#endif  // ATSAN_STRATEGIES_H
