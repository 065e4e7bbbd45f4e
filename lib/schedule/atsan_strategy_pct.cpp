//===-- atsan_strategy_pct.cpp ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategy `pct`: "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs" (ASPLOS 2010). Each thread gets a random priority at its birth,
// and the highest one that is ready goes on. At depth - 1 random steps, the one
// that would go on gets a priority below all of these. Of n threads and k
// steps, a bug of that depth shows with a probability of at least 1 / (n *
// k^(d-1)).
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_dice.h"
#include "lib/schedule/atsan_eligible.h"
#include "lib/schedule/atsan_saved_state.h"
#include "lib/schedule/atsan_strategies.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

// How many steps a run has, before one was seen.
constexpr u64 kFirstGuess = 100;

// After so many steps of one thread, others go on.
constexpr u32 kMostInARow = 5000;

class PctStrategy final : public Strategy {
 public:
  explicit PctStrategy(const StrategyOptions &options) : options_(options) {
    Seed(options.seed);
  }

  void BeginRun() override {
    dice_ = NextDice();
    priorities_.clear();
    changes_.clear();
    steps_ = 0;
    lowest_ = 0;
    in_a_row_ = 0;
    const u64 length = most_steps_ ? most_steps_ : kFirstGuess;
    for (u32 i = 1; i < options_.depth; i++)
      changes_.push_back(1 + dice_.Below(length));
  }

  u32 Choose(const Decision &decision) override {
    steps_ += !decision.only_loops;
    const Eligible eligible(decision);
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      s64 *priority = PriorityOf(c.thread);
      // Below all others: if all spin, each has its turn (a caller that gives
      // turns needs no such help). Otherwise it waits as it is, and comes back
      // with its priority when it has what it waits for.
      if (c.spins && eligible(c) && c.thread == decision.current)
        *priority = --lowest_;
    }
    // Loops that wait by taking a lock are not seen to spin.
    if (in_a_row_ > kMostInARow && decision.current != kNoThread) {
      *PriorityOf(decision.current) = --lowest_;
      in_a_row_ = 0;
    }
    u32 chosen = Highest(decision, eligible);
    for (u32 i = 0; i < changes_.size(); i++) {
      if (changes_[i] != steps_ || decision.only_loops)
        continue;
      *PriorityOf(chosen) = i + 1;
      chosen = Highest(decision, eligible);
    }
    in_a_row_ =
        chosen == decision.current ? in_a_row_ + !decision.only_loops : 0;
    return chosen;
  }

  void EndRun(bool) override { most_steps_ = Max(most_steps_, steps_); }

  void Save(InternalMmapVector<char> *to) const override {
    StateWriter writer(to, "pct");
    writer.Put32(options_.depth);
    writer.Put64(most_steps_);
  }

  bool Load(const char *from, uptr size) override {
    StateReader reader(from, size, "pct");
    if (reader.Get32() != options_.depth)
      reader.Reject();
    most_steps_ = reader.Get64();
    if (reader.Complete())
      return true;
    most_steps_ = 0;
    return false;
  }

 private:
  // A thread that was not seen yet is born.
  s64 *PriorityOf(u32 thread) {
    while (thread >= priorities_.size()) {
      // Above those of the changes, which are below the depth.
      const u64 above = static_cast<u64>(options_.depth) + 1;
      priorities_.push_back(static_cast<s64>(above + (dice_.Next() >> 2)));
    }
    return &priorities_[thread];
  }

  u32 Highest(const Decision &decision, const Eligible &eligible) {
    u32 highest = kNoThread;
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      if (eligible(c) && (highest == kNoThread ||
                          priorities_[c.thread] > priorities_[highest]))
        highest = c.thread;
    }
    return highest;
  }

  const StrategyOptions options_;
  Dice dice_{0};        // The run's.
  u64 most_steps_ = 0;  // In one of the runs so far.
  // The current run's.
  u64 steps_ = 0;
  s64 lowest_ = 0;
  u32 in_a_row_ = 0;  // Steps of the current thread without another one's.
  InternalMmapVector<s64> priorities_;  // By thread.
  InternalMmapVector<u64> changes_;     // The steps, counted from 1.
};

}  // namespace

Strategy *NewPctStrategy(const StrategyOptions &options) {
  return new (StorageFor<PctStrategy>()) PctStrategy(options);
}

}  // namespace __atsan
