//===-- atsan_strategy_random.cpp -------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategy `random`: at each point, each thread that may be chosen is so
// equally often.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_dice.h"
#include "lib/schedule/atsan_eligible.h"
#include "lib/schedule/atsan_saved_state.h"
#include "lib/schedule/atsan_strategies.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

class RandomStrategy final : public Strategy {
 public:
  explicit RandomStrategy(const StrategyOptions &options) {
    Seed(options.seed);
  }

  void BeginRun() override { dice_ = NextDice(); }

  u32 Choose(const Decision &decision) override {
    const Eligible eligible(decision);
    u32 chosen = kNoThread, seen = 0;
    for (u32 i = 0; i < decision.num_candidates; i++)
      if (eligible(decision.candidates[i]) && dice_.Below(++seen) == 0)
        chosen = decision.candidates[i].thread;
    return chosen;
  }

  void Save(InternalMmapVector<char> *to) const override {
    StateWriter writer(to, "random");
  }

  bool Load(const char *from, uptr size) override {
    return StateReader(from, size, "random").Complete();
  }

 private:
  Dice dice_{0};  // The run's.
};

}  // namespace

Strategy *NewRandomStrategy(const StrategyOptions &options) {
  return new (StorageFor<RandomStrategy>()) RandomStrategy(options);
}

}  // namespace __atsan
