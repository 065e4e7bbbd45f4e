//===-- atsan_strategy_pos.cpp ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategy `pos`: "Partial Order Aware Concurrency Sampling" (CAV 2018).
// Each step that a thread is about to execute has a random priority; the
// highest one that is ready is executed, and those that conflict with it get
// another one: for steps that conflict with each other, all orders are then as
// likely, however many others lie between.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_dice.h"
#include "lib/schedule/atsan_eligible.h"
#include "lib/schedule/atsan_saved_state.h"
#include "lib/schedule/atsan_strategies.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

class PosStrategy final : public Strategy {
 public:
  explicit PosStrategy(const StrategyOptions &options) { Seed(options.seed); }

  void BeginRun() override {
    dice_ = NextDice();
    priorities_.clear();
  }

  u32 Choose(const Decision &decision) override {
    const Eligible eligible(decision);
    const Candidate *chosen = nullptr;
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      while (c.thread >= priorities_.size())
        priorities_.push_back(dice_.Next());
      if (eligible(c) &&
          (!chosen || priorities_[c.thread] > priorities_[chosen->thread]))
        chosen = &c;
    }
    CHECK(chosen);
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      if (&c == chosen || AreDependent(c.next, chosen->next))
        priorities_[c.thread] = dice_.Next();
    }
    return chosen->thread;
  }

  void Save(InternalMmapVector<char> *to) const override {
    StateWriter writer(to, "pos");
  }

  bool Load(const char *from, uptr size) override {
    return StateReader(from, size, "pos").Complete();
  }

 private:
  Dice dice_{0};  // The run's.
  // By thread, for the step that it is about to execute.
  InternalMmapVector<u64> priorities_;
};

}  // namespace

Strategy *NewPosStrategy(const StrategyOptions &options) {
  return new (StorageFor<PosStrategy>()) PosStrategy(options);
}

}  // namespace __atsan
