//===- Registry.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Registry.h"
#include "lib/check/Blocks.h"
#include "lib/check/ConflictGraph.h"
#include "lib/check/Factories.h"
#include "lib/check/Profiles.h"
#include "lib/check/Reduction.h"
#include "lib/check/Scg.h"

using namespace atsan::check;

template <typename T>
static std::unique_ptr<Analysis> create(const Options &O) {
  return std::make_unique<T>(O);
}

const std::vector<Algorithm> &atsan::check::algorithms() {
  static const std::vector<Algorithm> All = {
      {"scg",
       "violations by the summarized conflict graph, the code of the runtime",
       [](const Options &O) { return makeScg(O); }, /*IsAboutRegions=*/true,
       /*HasLockEdges=*/true},
      {"conflict-graph",
       "violations by the whole conflict graph (CAV'08's baseline)",
       create<ConflictGraph>, /*IsAboutRegions=*/true, /*HasLockEdges=*/true},
      {"reduction",
       "regions that reduction cannot show to be atomic, by the whole trace "
       "(TSE'06 Theorem 2)",
       create<Reduction>, /*IsAboutRegions=*/true, /*HasLockEdges=*/false,
       /*HasImprovements=*/true},
      {"reduction-online",
       "the same as it happens, as in process (Theorem 1, Atomizer)",
       makeReductionOnline, /*IsAboutRegions=*/true, /*HasLockEdges=*/false,
       /*HasImprovements=*/true},
      {"locksets", "data races by multilocksets (TSE'06 section 5.4)",
       makeLockSets, /*IsAboutRegions=*/false, /*HasLockEdges=*/false,
       /*HasImprovements=*/true},
      {"blocks",
       "patterns that another schedule could show (TSE'06, section 6)",
       create<Blocks>, /*IsAboutRegions=*/true, /*HasLockEdges=*/false,
       /*HasImprovements=*/true, /*HasLevels=*/true,
       /*MaxSeconds=*/300},
      {"profiles",
       "what other orders could show, all synchronization ignored (TACAS'09)",
       create<Profiles>, /*IsAboutRegions=*/true},
      {"deadlocks", "cycles of locks that threads could wait for",
       makeDeadlocks},
  };
  return All;
}

const Algorithm *atsan::check::findAlgorithm(const std::string &Name) {
  for (const Algorithm &A : algorithms())
    if (Name == A.Name)
      return &A;
  return nullptr;
}
