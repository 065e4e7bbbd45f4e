//===- Interleavings.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle for whatever speaks of all schedules of a program: its feasible
// interleavings (mutual exclusion, program order, start, join and barriers),
// whether one of them is not conflict-serializable, and whether one deadlocks.
// Written without sight of lib/check and lib/checker.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_INTERLEAVINGS_H
#define ATSAN_UNIT_CHECK_INTERLEAVINGS_H

#include "Programs.h"
#include <functional>
#include <optional>
#include <random>

namespace atsan_test {

/// The thread that makes each step.
using Interleaving = std::vector<uint8_t>;

/// What divides regions (docs/semantics.md, rule 5).
struct Dividers {
  bool Start = true, Join = true, Barrier = true;
};

struct Outcomes {
  /// Some feasible interleaving, or beginning of one, has a cycle in its
  /// conflict graph (docs/semantics.md). Every access, start and join outside
  /// of regions is a transaction.
  bool Unserializable = false;
  /// Some interleaving ends where every thread that is not done waits.
  bool Deadlocks = false;
  /// There were too many to tell; the others are then not to be used.
  bool GaveUp = false;
};

/// Looks at all interleavings, each state of them once. At most 8 threads of 31
/// operations, 6 variables, 6 locks, 3 barriers.
Outcomes explore(const Program &P, size_t MaxStates = 2000000,
                 const Dividers &D = {});

/// All interleavings one by one, whole ones and those that deadlock, until
/// `Visit` returns false. Only for tiny programs.
void forEachInterleaving(
    const Program &P,
    const std::function<bool(const Interleaving &, bool Deadlocked)> &Visit);

/// Is it an interleaving of the program, or the beginning of one?
bool isFeasible(const Program &P, const Interleaving &Order);

/// By the definition: the conflict graph, and whether it has a cycle.
bool isConflictSerializable(const Program &P, const Interleaving &Order,
                            const Dividers &D = {});

/// Is the whole interleaving view-equivalent to a serial one that keeps the
/// order in each thread, and between starts, joins and barriers? Exponential in
/// the number of transactions.
bool isViewSerializable(const Program &P, const Interleaving &Order);

/// A random interleaving; none if it ran into a deadlock many times.
std::optional<Interleaving> randomInterleaving(const Program &P,
                                               std::mt19937_64 &Random);

/// The run as a trace holds it. Locations are 100 * thread + step, from 1.
std::vector<atsan::trace::Event> events(const Program &P,
                                        const Interleaving &Order);

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_INTERLEAVINGS_H
