//===- Search.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is a target of a net coverable? What the engines have in common: the
// question's limits, the answer, and the run that shows it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_SEARCH_H
#define ATSAN_NET_SEARCH_H

#include "lib/net/Net.h"
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

namespace atsan::net {

/// Transitions that fire one after the other, so many times.
struct Segment {
  std::vector<TransitionId> Word;
  uint64_t Times = 1;
};

struct Run {
  Marking Start; ///< The initial marking, with numbers for OrMore.
  std::vector<Segment> Segments;
  size_t Target = 0; ///< The number of the target that the end covers.

  uint64_t steps() const;
};

enum class Verdict {
  Coverable,
  NotCoverable,
  GaveUp,       ///< A limit was reached; Why says which.
  NotApplicable ///< The engine is not for this net; Why says why.
};

struct Answer {
  Verdict What = Verdict::GaveUp;
  Run Witness;     ///< If Coverable.
  std::string Why; ///< See Verdict; else what decided it, for people.
};

/// Limits of all engines that work on one question, in one or more threads.
class Budget {
public:
  /// 0: no limit. Bytes are those of the whole process that are in memory.
  Budget(double Seconds, uint64_t Bytes) : Seconds(Seconds), Bytes(Bytes) {}

  /// True once a limit was reached, or stop() was called. Looks at the clock
  /// and the memory now and then only. Thread-safe.
  bool isSpent();
  /// Tells the other engines that they are not needed any more. Thread-safe.
  void stop();
  /// Has stop() call \p Interrupt from its thread, until it is replaced: for
  /// what cannot ask isSpent(), one engine at a time. Thread-safe.
  void onStop(std::function<void()> Interrupt);
  /// A budget for another question: these limits, and the time that is left.
  Budget rest() const { return Budget(Seconds, Bytes, Begin); }
  double secondsLeft() const;
  /// Why the search ended: "60 s are over (--max-seconds)".
  std::string why() const;

private:
  using Clock = std::chrono::steady_clock;
  Budget(double Seconds, uint64_t Bytes, Clock::time_point Begin)
      : Seconds(Seconds), Bytes(Bytes), Begin(Begin) {}
  enum Reason { None, Time, Memory };

  double Seconds;
  uint64_t Bytes;
  Clock::time_point Begin = Clock::now();
  std::atomic<bool> Stopped{false};
  std::mutex Lock; ///< Guards Interrupt.
  std::function<void()> Interrupt;
  std::atomic<int> Spent{None};
  std::atomic<int64_t> LastLook{0}; ///< At the memory; ns of the clock.
};

/// What decides a question; searchNAME() says how.
enum class Engine : uint8_t {
  All, ///< All that fit, at once.
  Unfolding,
  Explicit,
  Forward,
  Backward
};

/// Breadth first through all markings; the run is a shortest one. Not
/// applicable to nets with OrMore; on unbounded nets it ends with the limits,
/// if the target is not coverable.
Answer searchExplicit(const Net &N, Budget &B);

/// Unfolds a safe net with the total adequate order of Esparza, Römer and
/// Vogler (2002) until an event covers a target. Not applicable if a place can
/// have two tokens.
Answer searchUnfolding(const Net &N, Budget &B);

/// Builds a tree of Karp and Miller (1969) with accelerations.
Answer searchForward(const Net &N, Budget &B);

/// Computes minimal bases backwards from the targets (Abdulla et al. 1996);
/// leaves out what the state equation shows to be no part of a run.
Answer searchBackward(const Net &N, Budget &B);

/// The engines that fit, at once, and the first answer.
Answer decide(const Net &N, Budget &B);

/// Fires a run step by step. Returns why it is none, empty if it is one. Shares
/// no code with the engines.
std::string replay(const Net &N, const Run &R);

} // namespace atsan::net

#endif
