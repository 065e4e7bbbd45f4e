//===- Runner.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One step of one thread: its visible action, and what it does on its own
// behind it, with all choices.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_RUNNER_H
#define ATSAN_MODEL_RUNNER_H

#include "lib/model/Machine.h"

namespace atsan::model {

class Runner {
public:
  Runner(const Machine &In, unsigned Thread, Outcomes &Out)
      : In(In), P(In.P), R(In.Replicas[Thread]),
        Code(In.P.Threads[R.Code].Code), Thread(Thread), Out(Out) {}

  /// Runs the thread up to its first stop, from the state of \p From.
  void begin(const Outcomes::One &From);
  /// Makes the step at a stop.
  void step(const Value *From, uint32_t Node);

private:
  /// How many ways can be open at once, and how many there can be together with
  /// those that have come to an end.
  static constexpr size_t MaxWays = 65536, MaxOutcomes = 16 * MaxWays;

  /// A way that the thread can go: an outcome that is not complete.
  struct Way {
    size_t Outcome = 0;
    uint32_t Node = 0;
    bool IsInStep = false;
    /// Is this step a read for an assume, and the assume still to come?
    bool IsAssuming = false;
    bool WasInRegion = false; ///< When the step block began.
    /// Is a violation none if the thread gives the attempt up, now that its
    /// compare-and-swap has failed (docs/semantics.md, rule 7)?
    bool IsHeld = false;
  };
  /// How a way goes on behind an edge.
  enum class Next : uint8_t {
    Goes,
    Waits, ///< The step cannot be made now.
    Stuck, ///< It was made, and the thread does nothing ever after.
    Over,  ///< The run is over.
  };

  void runAll();
  void runWays();
  void run(Way W);
  bool isOwn(const Way &W) const;
  void find(const Way &W, Continuation &To) const;
  bool follow(const Way &W);
  bool arrive(Way &W);
  bool isRepeated(const Way &W);
  Next take(Way &W, const Edge &E);
  Next branch(Way &W, const Node &N);
  bool hasRoomFor(uint64_t Others) const {
    return Others <= MaxWays - Ways.size() &&
           Others + Out.size() <= MaxOutcomes;
  }
  /// Another way, which begins at \p To with what \p W has done. The caller
  /// opens it, if there is room.
  Way fork(const Way &W, uint32_t To);
  Next fail(const Way &W, Fault F);
  Next failBefore(const Way &W, const Edge &E, Fault F);
  Next giveUp(const Edge &E);
  Next violate(const Way &W);

  Next set(Way &W, const Edge &E);
  Next choose(Way &W, const Edge &E);
  Next test(Way &W, const Edge &E);
  Next read(Way &W, const Edge &E);
  Next readRegister(Way &W, const Edge &E, uint32_t V);
  Next write(Way &W, const Edge &E);
  Next cas(Way &W, const Edge &E);
  Next acquire(Way &W, const Edge &E);
  Next release(Way &W, const Edge &E);
  Next operation(Way &W, const Edge &E);
  Next endRegion(Way &W, const Edge &E);
  Next endStep(Way &W, const Edge &E);
  Next assign(Way &W, const Edge &E, Value V);
  template <typename Values>
  Next assignEach(Way &W, const Edge &E, uint32_t Object, uint64_t Count,
                  Values ValueAt);
  Next access(Way &W, uint32_t V, bool IsWrite);

  Value *state(const Way &W) { return Out[W.Outcome].State.data(); }
  Value *locals(const Way &W) { return state(W) + R.Stop + 1; }
  Value *monitor(const Way &W) { return state(W) + In.FirstMonitor; }
  std::optional<uint32_t> object(const Way &W, const Place &Of);
  void log(const Way &W, const Edge &E, uint32_t Object = 0, Value Result = 0,
           bool IsWrite = false, bool IsSecond = false);

  const Machine &In;
  const Program &P;
  const Machine::Replica &R;
  const Automaton &Code;
  unsigned Thread;
  Outcomes &Out;
  std::vector<Way> Ways;
  std::vector<size_t> Gaps;   ///< Outcomes that are none.
  std::optional<size_t> Last; ///< A way that got stuck.
  bool HasStopped = false;
  bool LooksUp = true; ///< Are continuations followed, not found?
};

} // namespace atsan::model

#endif // ATSAN_MODEL_RUNNER_H
