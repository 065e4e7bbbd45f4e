//===-- atsan_strategy_surw.cpp ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategy `surw`: "Selectively Uniform Concurrency Testing" (ASPLOS 2025).
// All orders of the interesting steps are equally likely, as far as it is known
// how many of them each thread has: the thread of the next one is drawn with
// the number that it still has as its weight, and until it has executed it,
// others go on to theirs and no further. What threads that are not yet born
// will do is their parents' weight. Numbers are the average of the runs so far.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_dice.h"
#include "lib/schedule/atsan_eligible.h"
#include "lib/schedule/atsan_saved_state.h"
#include "lib/schedule/atsan_strategies.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

class SurwStrategy final : public Strategy {
 public:
  explicit SurwStrategy(const StrategyOptions &options) { Seed(options.seed); }

  void BeginRun() override {
    dice_ = NextDice();
    for (uptr i = 0; i < threads_.size(); i++) {
      threads_[i].done = 0;
      threads_[i].born = false;
    }
    intended_ = kNoThread;
  }

  u32 Choose(const Decision &decision) override {
    for (u32 i = 0; i < decision.num_candidates; i++)
      Meet(decision.candidates[i]);
    const Eligible eligible(decision);
    const Candidate *intended = FindIntended(decision, eligible);
    if (!intended) {
      Draw(decision, eligible, /*waiting=*/true);
      intended = FindIntended(decision, eligible);
    }
    const Candidate *chosen = Pick(decision, eligible);
    if (!chosen) {
      // All are about to execute an interesting step, and the intended one has
      // to wait for one of them.
      Draw(decision, eligible, /*waiting=*/false);
      chosen = FindIntended(decision, eligible);
    }
    CHECK(chosen);
    if (chosen->next.interesting) {
      threads_[chosen->thread].done += !decision.only_loops;
      intended_ = kNoThread;
    }
    return chosen->thread;
  }

  void EndRun(bool) override {
    runs_++;
    for (uptr i = 0; i < threads_.size(); i++)
      threads_[i].sum += threads_[i].done;
  }

  void Save(InternalMmapVector<char> *to) const override {
    StateWriter writer(to, "surw");
    writer.Put64(runs_);
    writer.Put32(static_cast<u32>(threads_.size()));
    for (const Thread &t : threads_) {
      writer.Put64(t.sum);
      writer.Put32(t.parent);
    }
  }

  bool Load(const char *from, uptr size) override {
    StateReader reader(from, size, "surw");
    runs_ = reader.Get64();
    threads_.clear();
    for (u32 i = 0, count = reader.GetCount(12); i < count; i++) {
      Thread t = {};
      t.sum = reader.Get64();
      t.parent = reader.Get32();
      if (t.parent != kNoThread && t.parent >= i)
        reader.Reject();
      threads_.push_back(t);
    }
    if (reader.Complete())
      return true;
    runs_ = 0;
    threads_.clear();
    return false;
  }

 private:
  struct Thread {
    u64 sum;     // Its interesting steps in all runs.
    u64 done;    // Its interesting steps in the current run.
    u32 parent;  // Smaller than its own number, or kNoThread.
    bool born;   // In the current run.
  };

  // How many interesting steps a thread is expected to have still.
  u64 Expected(uptr thread) const {
    const Thread &t = threads_[thread];
    if (!t.sum)
      return 0;
    const u64 average = Max<u64>(1, (t.sum + runs_ / 2) / runs_);
    return average > t.done ? average - t.done : 0;
  }

  // The thread that brings `thread` or one of its ancestors into being.
  u32 NextOfKinAlive(u32 thread) const {
    while (thread != kNoThread && !threads_[thread].born)
      thread = threads_[thread].parent;
    return thread;
  }

  u64 Weight(const Candidate &c) const {
    u64 weight = Expected(c.thread);
    for (uptr i = c.thread + 1; i < threads_.size(); i++)
      if (!threads_[i].born && NextOfKinAlive(i) == c.thread)
        weight += Expected(i);
    // The estimate was too low.
    return Max<u64>(weight, c.next.interesting);
  }

  // A thread that is born takes its part of its parent's weight, and so of what
  // its parent was drawn for.
  void Meet(const Candidate &c) {
    while (c.thread >= threads_.size())
      threads_.push_back({0, 0, kNoThread, false});
    Thread *t = &threads_[c.thread];
    if (t->born)
      return;
    t->born = true;
    t->parent = c.parent < c.thread ? c.parent : kNoThread;
    if (intended_ == kNoThread || intended_ != t->parent)
      return;
    Candidate parent = {};
    parent.thread = intended_;
    const u64 own = Weight(c), rest = Weight(parent);
    if (own && dice_.Below(own + rest) < own)
      intended_ = c.thread;
  }

  // A thread that has ended, or that spins while others do not, is none.
  const Candidate *FindIntended(const Decision &decision,
                                const Eligible &eligible) const {
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      if (c.thread == intended_)
        return eligible(c) || !c.ready ? &c : nullptr;
    }
    return nullptr;
  }

  // `waiting`: also one of those that cannot go on now.
  void Draw(const Decision &decision, const Eligible &eligible, bool waiting) {
    u64 seen = 0;
    intended_ = kNoThread;
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      const bool counts = eligible(c) || (waiting && !c.ready);
      const u64 weight = counts ? Weight(c) : 0;
      seen += weight;
      if (weight && dice_.Below(seen) < weight)
        intended_ = c.thread;
    }
  }

  // One of those that do not come before the intended thread, by chance.
  const Candidate *Pick(const Decision &decision, const Eligible &eligible) {
    const Candidate *chosen = nullptr;
    u32 seen = 0;
    for (u32 i = 0; i < decision.num_candidates; i++) {
      const Candidate &c = decision.candidates[i];
      if (eligible(c) && (!c.next.interesting || c.thread == intended_) &&
          dice_.Below(++seen) == 0)
        chosen = &c;
    }
    return chosen;
  }

  Dice dice_{0};  // The run's.
  u64 runs_ = 0;
  InternalMmapVector<Thread> threads_;
  u32 intended_ = kNoThread;  // To execute the next interesting step.
};

}  // namespace

Strategy *NewSurwStrategy(const StrategyOptions &options) {
  return new (StorageFor<SurwStrategy>()) SurwStrategy(options);
}

}  // namespace __atsan
