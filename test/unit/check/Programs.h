//===- Programs.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small straight-line programs for the differential tests of lib/check: what
// each thread does, without an order between threads but the synchronization
// in it. From a seed, or from text:
//
//   [ ]      region begin, end                +l -l  acquire, release of lock l
//   rx wx ux read, write, read-modify-write   %l /l  the same, shared mode
//   >1 <1    start, join of thread 1          |b     barrier b: arrive, leave
//
// Variables are x y z u v w, locks l m n k o p, barriers b c d.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_PROGRAMS_H
#define ATSAN_UNIT_CHECK_PROGRAMS_H

#include "lib/event/Event.h"
#include <cstdint>
#include <string>
#include <vector>

namespace atsan_test {

struct Operation {
  atsan::trace::EventKind Kind;
  /// The number of the variable, lock, thread or barrier.
  uint32_t Operand = 0;
};

/// The operations of each thread. A thread that none starts runs from the
/// beginning. Every thread that arrives at a barrier does so equally often.
using Program = std::vector<std::vector<Operation>>;

struct ProgramOptions {
  unsigned MaxThreads = 4; ///< At least 2.
  unsigned MaxVariables = 3;
  unsigned MaxLocks = 3;
  /// Of each thread, before those that close regions and release locks.
  unsigned MaxOps = 7;
  bool NestedLocks = true; ///< Released in reverse order of acquisition.
  bool SharedLocks = false;
  bool RecursiveLocks = false;
  unsigned LockPercent = 30; ///< Of what is no region or release.
  bool Accesses = true;
  bool Regions = true;
  /// How threads may synchronize beside locks. Global: the first thread starts
  /// and joins all others, barriers are for all threads. Any: starts, joins and
  /// barriers anywhere outside of locks. Anywhere: also while locks are held;
  /// several threads may join one, and some threads do nothing.
  enum SyncKind { None, Global, Any, Anywhere } Sync = Global;
  /// Up to so many things are handed over, each from one thread to one other:
  /// signals to who waits, posts of semaphores, annotations.
  unsigned MaxHandOvers = 0;
};

Program randomProgram(uint64_t Seed, const ProgramOptions &Options = {});

/// Aborts if the text is misspelt.
Program program(const std::vector<std::string> &Threads);
std::string describe(const Program &P);

/// As they stand in a trace. Each variable is one word of 8 bytes.
uint64_t variableAddress(uint32_t Variable);
uint64_t lockAddress(uint32_t Lock);
uint64_t barrierAddress(uint32_t Barrier);
/// The condition, semaphore or annotation of a hand-over.
uint64_t handOverAddress(uint32_t HandOver);
/// A hand-over of a semaphore: Program has HappensBefore and HappensAfter for
/// the post and the wait.
constexpr bool isSemaphore(uint32_t HandOver) { return HandOver % 2; }

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_PROGRAMS_H
