//===-- AllInterleavings.h
//--------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle: all interleavings of a small program, and what is said of each.
// Written without sight of the strategies.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_SCHEDULE_ALLINTERLEAVINGS_H
#define ATSAN_UNIT_SCHEDULE_ALLINTERLEAVINGS_H

#include "Machine.h"
#include <map>
#include <tuple>

namespace atsan_test {

/// The threads in the order of their steps.
using Interleaving = std::vector<uint8_t>;

/// A Mazurkiewicz trace: for each step, ordered by thread and number, what it
/// is and which steps that it conflicts with came before.
using TraceForm = std::vector<uint64_t>;

/// Whom the machine may let go on: all that are ready, of which those that spin
/// only where no other one is.
bool mayGoOn(const Machine &M, unsigned Thread);

/// A run, step by step.
class RunLog {
public:
  void add(unsigned Thread, const MachineStep &Step);
  void removeLast();
  TraceForm form() const;
  /// Whether the regions can be put one behind the other without turning two
  /// conflicting accesses round.
  bool isSerializable() const;
  const Interleaving &threads() const { return Threads; }
  const MachineStep &step(size_t I) const { return Steps[I].Step; }
  size_t size() const { return Steps.size(); }

private:
  struct Logged {
    MachineStep Step;
    unsigned Id; ///< Thread and number.
    uint64_t Before;
  };
  std::vector<Logged> Steps;
  Interleaving Threads;
  std::array<unsigned, kMaxThreads> Counts = {};
};

/// What can be told of a complete run.
struct Verdict {
  std::string Final;
  bool Serializable;
  bool operator==(const Verdict &O) const {
    return Final == O.Final && Serializable == O.Serializable;
  }
  bool operator<(const Verdict &O) const {
    return std::tie(Final, Serializable) < std::tie(O.Final, O.Serializable);
  }
};

struct AllRuns {
  std::map<TraceForm, Verdict> Classes;
  /// Each run, with its class and its preemptions.
  struct Run {
    Interleaving Threads;
    const TraceForm *Class;
    unsigned Preemptions;
  };
  std::vector<Run> Runs;
  /// Whether there are more than the limit; then not all are here.
  bool TooMany = false;
};

AllRuns allInterleavings(const MachineProgram &P, size_t Limit);

} // namespace atsan_test

#endif // ATSAN_UNIT_SCHEDULE_ALLINTERLEAVINGS_H
