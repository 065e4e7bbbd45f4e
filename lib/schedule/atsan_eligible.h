//===-- atsan_eligible.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whom a strategy may choose: a thread that is ready, and one that spins only
// where all of those do. What it waits for is then done first, and a run ends.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_ELIGIBLE_H
#define ATSAN_ELIGIBLE_H

#include "lib/schedule/atsan_strategy.h"

namespace __atsan {

class Eligible {
 public:
  explicit Eligible(const Decision &decision) {
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      all_spin_ &= !c.ready || c.spins;
    }
  }
  bool operator()(const Candidate &c) const {
    return c.ready && (all_spin_ || !c.spins);
  }

 private:
  bool all_spin_ = true;
};

}  // namespace __atsan

#endif  // ATSAN_ELIGIBLE_H
