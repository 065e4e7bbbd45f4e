//===- Violations.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cycles that an algorithm found in the conflict graph, as findings: which
// are reported (docs/semantics.md, rule 11).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_VIOLATIONS_H
#define ATSAN_CHECK_VIOLATIONS_H

#include "lib/check/Analysis.h"
#include "lib/check/RegionSites.h"
#include "lib/event/Transactions.h"
#include <map>

namespace atsan::check {

class Violations {
public:
  explicit Violations(const Options &O) : All(O.All), Sites(O.Names) {}

  /// A cycle closed with \p Closing in the region that began with \p Begin.
  /// Of the events in \p Cycle only the numbers need be known (see
  /// Explain.h). With --all: once for each site of a region and closing site.
  ///
  /// If a failed compare-exchange closed the cycle, the attempt that it ends
  /// may be given up, and then there is none (rule 7): it is held until the
  /// thread's next atomic operation, or the end of its transaction.
  void add(const NumberedEvent &Begin, const NumberedEvent &Closing,
           std::vector<Relation> Cycle);

  bool hasHeld() const { return !Held.empty(); }
  /// To be told of each event, before what it closes; \p S is what it does to
  /// its thread's transaction. Nothing is to do unless hasHeld().
  void pass(const trace::Event &E, Step S);
  /// The trace has ended: what is held was not given up.
  void finish();

  /// False after the first finding, unless all are wanted.
  bool wantsMore() const { return All || Found.empty(); }
  const std::vector<Finding> &findings() const { return Found; }

private:
  struct Violation {
    NumberedEvent Begin, Closing;
    std::vector<Relation> Cycle;
  };
  void report(Violation V);

  bool All;
  std::map<uint32_t, Violation> Held; // By thread, which holds one at most.
  std::vector<Finding> Found;
  RegionSites Sites;
};

/// Why one event is before the other, as Relation::Why.
namespace reason {
inline constexpr char Conflict[] = "conflict";
inline constexpr char Lock[] = "lock";
inline constexpr char ThreadStart[] = "thread start";
inline constexpr char ThreadJoin[] = "thread join";
inline constexpr char ProgramOrder[] = "program order";
/// Through threads that ended, of which no more is remembered.
inline constexpr char EndedThreads[] = "order through ended threads";
} // namespace reason

/// A relation of events that are known by their numbers. Number 0 is the end
/// (First) or the begin (Later) of the thread itself.
Relation relation(const char *Why, uint64_t First, uint32_t FirstThread,
                  uint64_t Later, uint32_t LaterThread);

/// The sentence of notion() for those that decide on the conflict graph.
std::string conflictGraphNotion(const Options &O);

} // namespace atsan::check

#endif // ATSAN_CHECK_VIOLATIONS_H
