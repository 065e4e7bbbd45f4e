//===-- atsan_strategy_systematic.cpp ---------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategy `systematic`: depth first, one run for each class of schedules.
// For two steps that race, the later one's thread (or another one that can
// bring it there) is tried where the earlier one was executed, unless something
// that was tried there leads to the same: source sets ("Optimal Dynamic Partial
// Order Reduction", POPL 2014). What was tried sleeps below its siblings, until
// a step that depends on it: so no two runs are of one class. (Of threads that
// spin at the same time, a class may be run more than once.)
//
// Where that paper knows of no waiting, here a step that is not ready comes
// after those it depends on: races are looked for among all earlier steps that
// the later thread has not come after, not only the last ones, since of those
// that it depends on, the last one may be what has made it ready (an unlock).
//
// With a bound on preemptions, all schedules within it are tried, without any
// reduction: the classes of schedules do not respect the bound.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_decision_stack.h"
#include "lib/schedule/atsan_eligible.h"
#include "lib/schedule/atsan_run_record.h"
#include "lib/schedule/atsan_strategies.h"

namespace __atsan {
namespace {

class SystematicStrategy final : public Strategy {
 public:
  explicit SystematicStrategy(const StrategyOptions &options)
      : options_(options) {}

  void BeginRun() override;
  u32 Choose(const Decision &decision) override;
  void Blocked(const Decision &decision) override;
  void EndRun(bool complete) override;
  bool WantsProofOfSpinning() const override { return true; }
  bool HasMore() const override { return !exhausted_; }
  bool Redundant() const override { return follows_nothing_ && !diverged_; }
  bool Diverged() const override { return diverged_; }
  Coverage Covered() const override;
  Gap FirstGap() const override { return gap_; }
  void LeaveGap(Gap gap) override { gap_ = gap_ == Gap::kNone ? gap : gap_; }
  void Save(InternalMmapVector<char> *to) const override;
  bool Load(const char *from, uptr size) override;

 private:
  bool Bounded() const { return options_.preemptions != kNoBound; }
  void NoteGuesses(const Decision &decision);
  void PushLevel(const Decision &decision);
  void InheritSleep(const Candidate &c, Option *option);
  void ChooseAtNewLevel(const Decision &decision);
  bool IsAsBefore(const Decision &decision);
  void TakeBack(const RunRecord::Race &race);
  static u32 AnyThread(const Decision &decision);
  void Reset();

  const StrategyOptions options_;
  DecisionStack stack_;
  bool exhausted_ = false;
  Gap gap_ = Gap::kNone;  // Something was not explored as it should have been.

  // The current run's.
  RunRecord record_;
  RunRecord::Initials initials_;
  uptr depth_ = 0;   // Decisions so far.
  uptr replay_ = 0;  // Decisions that were there before, without the last one.
  bool follows_nothing_ = false;  // What comes now is not explored.
  bool diverged_ = false;
  bool told_blocked_ = false;
  u32 others_left_ = 0;
  // What the candidates of the last decision were about to execute.
  InternalMmapVector<Candidate> last_;
};

void SystematicStrategy::BeginRun() {
  record_.Begin();
  depth_ = 0;
  replay_ = stack_.Size() ? stack_.Size() - 1 : 0;
  follows_nothing_ = exhausted_;
  diverged_ = told_blocked_ = false;
  others_left_ = 0;
  last_.clear();
}

// Whom to let go on where nothing is explored.
u32 SystematicStrategy::AnyThread(const Decision &decision) {
  const Eligible eligible(decision);
  u32 chosen = kNoThread;
  for (u32 i = 0; i < decision.num_candidates; i++) {
    const Candidate &c = decision.candidates[i];
    if (eligible(c) && (chosen == kNoThread || c.thread == decision.current))
      chosen = c.thread;
  }
  return chosen;
}

// What is held because it seems to spin is not explored.
void SystematicStrategy::NoteGuesses(const Decision &decision) {
  const Eligible eligible(decision);
  for (u32 i = 0; i < decision.num_candidates; i++) {
    const Candidate &c = decision.candidates[i];
    if (c.ready && c.seems_to_spin && !eligible(c))
      LeaveGap(Gap::kGuess);
  }
}

u32 SystematicStrategy::Choose(const Decision &decision) {
  others_left_ = decision.num_candidates - 1;
  if (follows_nothing_)
    return AnyThread(decision);
  NoteGuesses(decision);
  if (!Bounded())
    record_.See(decision);
  if (depth_ == stack_.Size()) {
    PushLevel(decision);
    ChooseAtNewLevel(decision);
    if (follows_nothing_)
      return AnyThread(decision);
  } else if (!IsAsBefore(decision)) {
    diverged_ = follows_nothing_ = true;
    return AnyThread(decision);
  }
  const u32 chosen = stack_.At(depth_).chosen;
  DecisionStack::Level *level = &stack_.At(depth_);
  const Candidate &c = decision.candidates[chosen];
  u64 signature = 1;
  if (!Bounded()) {
    // The races of a step that is replayed were found when it was new.
    if (depth_ >= replay_)
      record_.FindRaces(c);
    const u32 event = record_.Execute(c);
    signature |= record_.StructureOf(event);
    last_.clear();
    for (u32 i = 0; i < decision.num_candidates; i++)
      last_.push_back(decision.candidates[i]);
  }
  if (level->signature && level->signature != signature) {
    diverged_ = follows_nothing_ = true;
    return c.thread;
  }
  level->signature = signature;
  depth_++;
  return c.thread;
}

// Whether the threads that can be chosen, and what each is about to execute,
// are those of the run in which the level was made.
bool SystematicStrategy::IsAsBefore(const Decision &decision) {
  const DecisionStack::Level &level = stack_.At(depth_);
  if (level.count != decision.num_candidates)
    return false;
  const Eligible eligible(decision);
  const Option *options = stack_.OptionsOf(depth_);
  for (u32 i = 0; i < level.count; i++) {
    const Candidate &c = decision.candidates[i];
    if (options[i].thread != c.thread ||
        options[i].Has(Option::kEligible) != eligible(c) ||
        options[i].kind != static_cast<u8>(c.next.kind) ||
        options[i].size != c.next.size)
      return false;
  }
  return true;
}

void SystematicStrategy::PushLevel(const Decision &decision) {
  const Eligible eligible(decision);
  bool may_preempt = true, current_goes_on = false;
  u32 preemptions = 0;
  if (depth_) {
    const DecisionStack::Level &above = stack_.At(depth_ - 1);
    preemptions =
        above.preemptions + stack_.Chosen(depth_ - 1).Has(Option::kPreempts);
    may_preempt = preemptions < options_.preemptions;
  }
  if (Bounded() && !depth_)
    may_preempt = options_.preemptions > 0;
  for (u32 i = 0; i < decision.num_candidates; i++) {
    const Candidate &c = decision.candidates[i];
    current_goes_on |= c.thread == decision.current && c.ready && !c.spins;
  }
  stack_.Push()->preemptions = preemptions;
  for (u32 i = 0; i < decision.num_candidates; i++) {
    const Candidate &c = decision.candidates[i];
    Option o = {c.thread, 0, static_cast<u8>(c.next.kind), c.next.size};
    if (current_goes_on && c.thread != decision.current)
      o.flags |= Option::kPreempts;
    if (eligible(c)) {
      o.flags |= Option::kEligible;
      if (Bounded() && (may_preempt || !o.Has(Option::kPreempts)))
        o.flags |= Option::kWanted;
    } else if (c.ready) {
      o.flags |= Option::kHeld;
    }
    if (depth_ && !Bounded() && c.thread != decision.current)
      InheritSleep(c, &o);
    stack_.Add(o);
  }
}

// What slept above, or was tried in place of the last step, sleeps on if it
// does not depend on that step.
void SystematicStrategy::InheritSleep(const Candidate &c, Option *option) {
  Option *above = stack_.Find(depth_ - 1, c.thread);
  if (!above)
    return;
  const uptr done = stack_.At(depth_ - 1).chosen;
  // The last step was of a thread that span, and ended this: from then on,
  // others that spin are held. These steps cannot be exchanged, whatever they
  // touch.
  if (above->Has(Option::kEligible) && option->Has(Option::kHeld)) {
    above->flags |= Option::kWanted;
    stack_.Chosen(depth_ - 1).flags |= Option::kHolds;
    return;
  }
  if (!above->Has(Option::kAsleep | Option::kTried) ||
      above->Has(Option::kHolds))
    return;
  const uptr index = above - stack_.OptionsOf(depth_ - 1);
  if (!AreDependent(last_[index].next, last_[done].next))
    option->flags |= Option::kAsleep;
}

// The current thread goes on if it can: what is seen first has few preemptions.
void SystematicStrategy::ChooseAtNewLevel(const Decision &decision) {
  const Eligible eligible(decision);
  DecisionStack::Level *level = &stack_.At(depth_);
  Option *options = stack_.OptionsOf(depth_);
  u32 chosen = level->count;
  for (u32 i = 0; i < level->count; i++)
    if (options[i].Has(Option::kEligible) && !options[i].Has(Option::kAsleep) &&
        (chosen == level->count || options[i].thread == decision.current))
      chosen = i;
  if (chosen == level->count) {
    stack_.Pop();
    follows_nothing_ = true;
    // Threads that have to wait may have been able to go on before another one:
    // in the runs that this one is like, what sleeps came first there.
    for (u32 i = 0; i < decision.num_candidates; i++)
      if (!eligible(decision.candidates[i]))
        record_.FindRaces(decision.candidates[i]);
    return;
  }
  level->chosen = chosen;
  options[chosen].flags |= Option::kWanted;
}

void SystematicStrategy::Blocked(const Decision &decision) {
  told_blocked_ = true;
  if (Bounded() || follows_nothing_)
    return;
  record_.See(decision);
  for (u32 i = 0; i < decision.num_candidates; i++)
    record_.FindRaces(decision.candidates[i]);
}

// Sees to it that the later step of the race will come before the earlier one.
void SystematicStrategy::TakeBack(const RunRecord::Race &race) {
  record_.FindInitials(race, &initials_);
  const RunRecord::Later &later = record_.LaterOf(race);
  const Option *waiting = stack_.Find(race.earlier, later.thread);
  // The step could not be executed there, nor after anything that remains.
  if (initials_.later_waits && initials_.later_is_first && !later.loose &&
      waiting && !waiting->Has(Option::kEligible | Option::kHeld))
    return;
  Option *first = nullptr;
  bool surprising = false;
  for (u32 thread : initials_.threads) {
    Option *o = stack_.Find(race.earlier, thread);
    if (!o || !o->Has(Option::kEligible)) {
      surprising = true;
      continue;
    }
    if (o->Has(Option::kWanted | Option::kTried | Option::kAsleep))
      return;
    if (!first || thread == later.thread)
      first = o;
  }
  if (first) {
    first->flags |= Option::kWanted;
    return;
  }
  if (!surprising)
    return;
  // Something that no dependence tells of keeps all of them from going first.
  Option *options = stack_.OptionsOf(race.earlier);
  for (u32 i = 0; i < stack_.At(race.earlier).count; i++)
    if (options[i].Has(Option::kEligible))
      options[i].flags |= Option::kWanted;
}

void SystematicStrategy::EndRun(bool complete) {
  if (exhausted_)
    return;
  if (diverged_) {
    LeaveGap(Gap::kDiverged);
  } else {
    if (!follows_nothing_ && (!complete || (others_left_ && !told_blocked_)))
      LeaveGap(Gap::kCut);
    if (record_.ReadyByUnnamed())
      LeaveGap(Gap::kUnnamed);
    for (uptr i = 0; i < record_.NumRaces(); i++)
      TakeBack(record_.RaceAt(i));
  }
  exhausted_ = !stack_.Advance();
}

Coverage SystematicStrategy::Covered() const {
  if (!exhausted_ || gap_ != Gap::kNone)
    return Coverage::kSampled;
  return Bounded() ? Coverage::kAllWithinBound : Coverage::kAllClasses;
}

void SystematicStrategy::Save(InternalMmapVector<char> *to) const {
  StateWriter writer(to, "systematic");
  writer.Put32(options_.preemptions);
  writer.Put8(exhausted_);
  writer.Put8(static_cast<u8>(gap_));
  stack_.Save(&writer);
}

bool SystematicStrategy::Load(const char *from, uptr size) {
  StateReader reader(from, size, "systematic");
  if (reader.Get32() != options_.preemptions)
    reader.Reject();
  exhausted_ = reader.Get8();
  const u8 gap = reader.Get8();
  if (gap > static_cast<u8>(Gap::kLast))
    reader.Reject();
  gap_ = static_cast<Gap>(gap);
  stack_.Load(&reader);
  if (exhausted_ && stack_.Size())
    reader.Reject();
  if (reader.Complete())
    return true;
  Reset();
  return false;
}

void SystematicStrategy::Reset() {
  stack_.Clear();
  exhausted_ = false;
  gap_ = Gap::kNone;
}

}  // namespace

Strategy *NewSystematicStrategy(const StrategyOptions &options) {
  return new (StorageFor<SystematicStrategy>()) SystematicStrategy(options);
}

}  // namespace __atsan
