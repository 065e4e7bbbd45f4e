//===- Linearizable.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Linearizable.h"
#include "lib/model/LinearizableMonitor.h"
#include "lib/model/Serializable.h"
#include <algorithm>

using namespace atsan::model;
namespace check = atsan::check;

SearchResult atsan::model::decideLinearizable(const Program &P,
                                              const SearchOptions &O) {
  if (P.Registers.empty())
    throw ModelError({1, 1}, "the model declares no register",
                     "declare register bool R; and write operation "
                     "R.write(v) { ... }");
  const Sharing Shared(P);
  unsigned Threads = 0;
  for (const Thread &T : P.Threads)
    Threads += std::min(T.Count, Machine::MaxThreads);
  SearchOptions Given = O;
  // The monitor tells threads apart.
  Given.UsesSymmetry = false;
  return search(P, Shared, LinearizableMonitor(P, Threads), Given);
}

check::Finding atsan::model::operationFinding(const Program &P,
                                              const SearchResult &R,
                                              trace::Source &Run) {
  if (R.Error != Fault::None)
    return findingOf(P, R, Run);
  const Action &Last = R.Run.back();
  const Register &Of = P.Registers[Last.What->Number];
  check::Finding F;
  F.Kind = "linearizability-violation";
  F.Message = "No order of the operations of " + Of.Name +
              ", each at one point between its begin and its end, explains the "
              "results in this run";
  pointToEnd(F, Run);
  return F;
}
