//===- Escape.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Escape.h"
#include "lib/check/Commuting.h"

using namespace atsan::check;
using atsan::trace::Event;

bool EscapeFilter::drops(const Event &E) {
  feedMemory(Map, E);
  return isAccess(E.Kind) && !Map.HasEscaped(E.Thread, E.Address, E.Size);
}

bool Escape::consume(trace::EventSpan Events) {
  for (const Event &E : Events) {
    const bool Drops = Filter.drops(E);
    if (isAccess(E.Kind))
      ++(Drops ? Dropped : Kept);
  }
  return true;
}

std::string Escape::notion() const {
  return "which accesses are to memory that other threads can reach, by "
         "dynamic escape analysis (TSE'06 section 3); it has no findings, and "
         "figures with --stats";
}

std::vector<std::pair<std::string, uint64_t>> Escape::statistics() const {
  const __atsan::EscapeMap::Stats S = Filter.map().GetStats();
  return {{"accesses to escaped memory", Kept},
          {"accesses to memory that has not escaped", Dropped},
          {"blocks born", S.born},
          {"blocks that escaped", S.escaped}};
}
