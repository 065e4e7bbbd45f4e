//===-- atsan_strategy.cpp --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of strategies, and what all of them agree upon: which steps depend
// on each other.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_strategy.h"

#include "lib/schedule/atsan_strategies.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

const char *const kStrategyNames[] = {"random", "pct",        "pos",
                                      "surw",   "systematic", nullptr};

Strategy *NewStrategy(const char *name, const StrategyOptions &options) {
  static constexpr Strategy *(*kMakers[])(const StrategyOptions &) = {
      NewRandomStrategy, NewPctStrategy, NewPosStrategy, NewSurwStrategy,
      NewSystematicStrategy};
  static_assert(ARRAY_SIZE(kMakers) + 1 == ARRAY_SIZE(kStrategyNames), "");
  for (uptr i = 0; i < ARRAY_SIZE(kMakers); i++)
    if (internal_strcmp(name, kStrategyNames[i]) == 0)
      return kMakers[i](options);
  return nullptr;
}

// Whether two ranges have a byte in common, wherever they lie.
static bool Overlap(uptr a, uptr a_size, uptr b, uptr b_size) {
  return a - b < b_size || b - a < a_size;
}

bool AreDependent(const Step &a, const Step &b) {
  if (a.kind == StepKind::kLocal || b.kind == StepKind::kLocal ||
      (!Changes(a.kind) && !Changes(b.kind)))
    return false;
  const uptr a_size = Max(a.size, 1u), b_size = Max(b.size, 1u);
  return Overlap(a.object, a_size, b.object, b_size) ||
         (a.second && Overlap(a.second, 1, b.object, b_size)) ||
         (b.second && Overlap(a.object, a_size, b.second, 1)) ||
         (a.second && a.second == b.second);
}

}  // namespace __atsan
