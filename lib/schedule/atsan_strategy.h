//===-- atsan_strategy.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who goes on? A program whose threads run one at a time asks a strategy at
// each point, that is before each step of a thread that others may notice. A
// strategy knows threads by number and steps by what they touch; it runs
// nothing itself, so that unit tests drive it with programs of their own
// making.
//
// Not safe for threads: one asks at a time.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_STRATEGY_H
#define ATSAN_STRATEGY_H

#include "lib/schedule/atsan_dice.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

// What a step does to the object, and to the second one.
enum class StepKind : u8 {
  kRead,        // Memory, [object, object + size). Atomic or not.
  kWrite,       // Also read-modify-write.
  kSync,        // Locks, signals, waits...: steps on one object do not commute.
  kSyncShared,  // A shared lock taken: commutes with its kind.
  kLocal,       // Begin and end of a thread or a region: commutes with all.
};

// Whether a step of this kind must keep its order to others of any kind.
constexpr bool Changes(StepKind kind) {
  return kind == StepKind::kWrite || kind == StepKind::kSync;
}

// A step of a thread, as it will be executed when the thread goes on.
struct Step {
  StepKind kind = StepKind::kLocal;
  u32 size = 0;     // Bytes; 0: the object is no memory.
  uptr object = 0;  // An address, or any other name that no address has.
  uptr second = 0;  // 0: none. A condition's wait touches its mutex, too.
  // Part of what bugs are made of: an access that conflicts with another
  // thread's, or synchronization by which threads wait for each other, but no
  // unlocking (SURW's "interesting" events).
  bool interesting = false;
};

// Whether the order of two steps of two threads can make a difference: none is
// local, one is neither a read nor a shared lock, and they have a byte in
// common. An object that is no memory counts as the one byte that its name
// would be the address of: who overwrites a mutex does not commute with who
// locks it.
bool AreDependent(const Step &a, const Step &b);

constexpr u32 kNoThread = ~0u;

// A thread that has begun and not ended.
struct Candidate {
  u32 thread;  // By order of creation, the first is 0; the same in every run.
  u32 parent;  // kNoThread: none.
  // The step can be executed now. Only steps that depend on this one change
  // that, and the end of a thread: waking from a condition's wait names the
  // mutex and the condition. Else `systematic` misses schedules, and may not
  // notice.
  bool ready;
  // The thread has repeated itself without a write of its own: another one
  // should go first, if there is one.
  bool spins;
  Step next;
  // That it spins is not proven: it may only read the same for long.
  bool seems_to_spin = false;
};

// What a strategy decides upon. Candidates are ordered by thread; at least one
// of them is ready.
struct Decision {
  const Candidate *candidates;
  u32 num_candidates;
  u32 current;  // The thread that executed the last step; kNoThread at first.
  // All that are ready spin, so that one has its turn and does not count as one
  // that does. Such steps are no part of what a run has to do: strategies that
  // spread their choices over its length leave them out.
  bool only_loops = false;
};

struct StrategyOptions {
  u64 seed = 1;
  // pct: bugs of this depth are found with the probability that the paper
  // promises: so many ordering constraints, one less than priority changes.
  u32 depth = 3;
  // systematic: schedules with at most so many preemptions; kNoBound: all
  // classes, by dynamic partial-order reduction. A preemption is a choice of
  // another thread while the current one is ready and does not spin.
  u32 preemptions = ~0u;
};
constexpr u32 kNoBound = ~0u;

// What the schedules that have been run say of the others.
enum class Coverage : u8 {
  kSampled,  // Nothing.
  kAllClasses,
  kAllWithinBound,  // The bound is that of preemptions.
};

// The first reason why a search for all classes cannot say that it has seen
// them, however long it goes on.
enum class Gap : u8 {
  kNone,
  kOthers,    // Another process, or a thread that nobody controls, took part.
  kGuess,     // A thread was held that only seemed to wait in a loop.
  kCut,       // A run ended while threads could go on.
  kDiverged,  // A run depended on more than its schedule.
  kUnnamed,   // A thread waited for what is no step of another one.
  kOutside,   // A loop that waits called what has no points.
  kNoPoints,  // Instrumented code has no points.
  kLast = kNoPoints,
};

// One way to choose. A run is: BeginRun, any number of Choose, Blocked if none
// of the threads that are left can go on, EndRun. None of the functions is
// pure, and nobody destroys a strategy: a runtime has neither
// __cxa_pure_virtual nor operator delete.
class Strategy {
 public:
  // The next run throws the dice of this seed, and each one after it those of
  // the next number. So a run is the same whoever has made the runs before it,
  // as far as these left the same estimates.
  void Seed(u64 seed) { next_seed_ = seed; }
  virtual void BeginRun() {}
  // Returns a thread of the decision that is ready; its `next` is executed, and
  // it runs until it is about to execute another one, to wait or to end.
  virtual u32 Choose(const Decision &) { UNREACHABLE("not a strategy"); }
  // The run ends in a deadlock: no candidate is ready. What they wait for tells
  // `systematic` in which other orders they would not have to: without this
  // call it misses schedules.
  virtual void Blocked(const Decision &) {}
  // The run is over. `complete`: all threads have ended, or none could go on. A
  // run that was given up counts for nothing but the estimates.
  virtual void EndRun(bool complete) {}
  // How many equal rounds a thread may make in this run before it counts as
  // one that spins: mostly few, so that others go first. But some functions try
  // a few dozen times before they sleep, and what is wrong with the sleep shows
  // only if they come to it.
  u32 Patience() const { return patience_; }
  // Whether threads spin, for it, only if nothing they do would ever change
  // without others. Else a few equal reads are enough.
  virtual bool WantsProofOfSpinning() const { return false; }
  // Whether another run may show something new.
  virtual bool HasMore() const { return true; }
  // However the current run goes on, an earlier one was of its class. It may be
  // given up, and is no run of the ones that HasMore promises.
  virtual bool Redundant() const { return false; }
  // The step of the last Choose turned out to be another one, or a thread that
  // should be ready was not: the program depends on more than the schedule.
  virtual bool Diverged() const { return false; }
  virtual Coverage Covered() const { return Coverage::kSampled; }
  virtual Gap FirstGap() const { return Gap::kNone; }
  // There are schedules that no choice leads to.
  virtual void LeaveGap(Gap) {}
  // What the next process must know to go on where this one ends, and back,
  // both between two runs. Save appends to `to`. Load returns false for what
  // Save of the same strategy with the same options has not made; the strategy
  // is then as new. Seeds are no part of it.
  virtual void Save(InternalMmapVector<char> *to) const {}
  virtual bool Load(const char *from, uptr size) { return false; }

 protected:
  ~Strategy() = default;
  // Returns the dice of a run that begins, which have set the patience.
  Dice NextDice() {
    constexpr u32 kOneIn = 4, kLong = 40;
    Dice dice(next_seed_++);
    patience_ = dice.Next() % kOneIn ? kFewRounds : kLong;
    return dice;
  }

 private:
  static constexpr u32 kFewRounds = 3;

  u64 next_seed_ = 1;
  u32 patience_ = kFewRounds;
};

// The strategies by name, in the order of the documentation, nullptr at the
// end.
extern const char *const kStrategyNames[];

// Returns a strategy that lives until the process ends; nullptr: no such name.
Strategy *NewStrategy(const char *name, const StrategyOptions &options);

// The class (Mazurkiewicz trace) of a run, as a number: equal for runs that
// differ in the order of independent steps only, and, but for collisions, for
// no others. Addresses do not count, only which step came after which.
class ScheduleClass {
 public:
  void Begin();
  void Execute(u32 thread, const Step &step);
  u64 Hash() const;

 private:
  struct State;
  State *state_ = nullptr;
};

}  // namespace __atsan

#endif  // ATSAN_STRATEGY_H
