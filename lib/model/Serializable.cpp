//===- Serializable.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Serializable.h"
#include "lib/check/Registry.h"
#include "lib/check/Words.h"
#include "lib/model/ConflictMonitor.h"
#include "lib/model/RunTrace.h"
#include <algorithm>

using namespace atsan::model;
namespace check = atsan::check;

std::vector<std::string> atsan::model::threadNames(const Program &P) {
  std::vector<std::string> Names;
  for (const Thread &T : P.Threads)
    for (uint32_t I = 0; I < T.Count; ++I)
      Names.push_back(replicaName(T, I));
  return Names;
}

void atsan::model::requireAtomicVariables(const Program &P) {
  for (const Variable &V : P.Variables)
    if (isRegister(V))
      throw ModelError(V.At,
                       "'" + V.Name +
                           "' is a safe or regular register, whose "
                           "accesses have no order",
                       "ask --linearizable, or declare it atomic");
}

SearchResult atsan::model::decideSerializable(const Program &P,
                                              const SearchOptions &O) {
  requireAtomicVariables(P);
  const Sharing Shared(P);
  unsigned Threads = 0;
  // The machine refuses what is too much.
  for (const Thread &T : P.Threads)
    Threads += std::min(T.Count, Machine::MaxThreads);
  Threads = std::min(Threads, Machine::MaxThreads);
  return search(P, Shared, ConflictMonitor(Threads, Shared.tracked()), O);
}

void atsan::model::pointToEnd(check::Finding &F, trace::Source &Run) {
  check::NumberedEvent Begin, Last;
  uint64_t Number = 0;
  std::vector<check::NumberedEvent> Begins;
  for (trace::EventSpan Events; !(Events = Run.next()).empty();)
    for (const trace::Event &E : Events) {
      Last = {++Number, E};
      if (E.Kind == trace::EventKind::RegionBegin)
        Begins.push_back(Last);
    }
  if (!Number)
    return;
  Begin = Last;
  for (const check::NumberedEvent &E : Begins)
    if (E.What.Thread == Last.What.Thread)
      Begin = E;
  F.Closing = Last.Number;
  F.Relations.push_back({Begin, Last, "the run ends here"});
}

check::Finding atsan::model::findingOf(const Program &P, const SearchResult &R,
                                       trace::Source &Run) {
  check::Finding F;
  if (R.Error != Fault::None) {
    F.Kind = "model-error";
    F.Message = check::capitalized(faultText(P, R.Error, R.Run.back()));
    pointToEnd(F, Run);
    return F;
  }
  // The checker that decides recorded runs says which cycle it is.
  const auto Graph =
      check::findAlgorithm("conflict-graph")->Create(check::Options());
  for (trace::EventSpan Events; !(Events = Run.next()).empty();)
    if (!Graph->consume(Events))
      break;
  Graph->finish();
  return Graph->findings().at(0);
}
