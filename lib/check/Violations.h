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
#include <set>
#include <tuple>

namespace atsan::check {

class Violations {
public:
  explicit Violations(bool All) : All(All) {}

  /// A cycle closed with \p Closing in the region that began with \p Begin.
  /// Of the events in \p Cycle only the numbers need be known (see
  /// Explain.h). With --all: once for each site of a region and closing site.
  void add(const NumberedEvent &Begin, const NumberedEvent &Closing,
           std::vector<Relation> Cycle);

  /// False after the first finding, unless all are wanted.
  bool wantsMore() const { return All || Found.empty(); }
  const std::vector<Finding> &findings() const { return Found; }

private:
  bool All;
  std::vector<Finding> Found;
  // What was reported: name and place of the region, and place of the closing
  // event, or the variable where no place is known.
  std::set<std::tuple<uint64_t, uint32_t, uint32_t, uint64_t>> Sites;
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
