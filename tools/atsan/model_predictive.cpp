//===- model_predictive.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan model --predictive`: could some interleaving of some runs be a
// violation (TACAS'09)?
//
//===----------------------------------------------------------------------===//

#include "lib/model/Serializable.h"
#include "tools/atsan/model.h"
#include "tools/atsan/search_progress.h"

namespace atsan::tool {

namespace {

SearchReport report(const ModelCommand &C) {
  const bool IsProduct = C.Locks == profile::Locks::Product;
  SearchReport Of = {
      "predictive",
      "could some interleaving of some runs of the threads be a violation, "
      "with values and conditions dropped (TACAS'09)?",
      "no violation is possible",
      "a violation is possible",
      IsProduct ? "state" : "profile",
      model::findingOf,
      "Values and conditions are not kept: one on the way may forbid this run, "
      "which --serializable decides"};
  if (C.Locks == profile::Locks::Ignored)
    Of.Dropped = "Values, conditions and locks are not kept: one on the way "
                 "may forbid this run, which --serializable decides";
  return Of;
}

/// A condition that never holds is dropped like any other: that all threads are
/// kept from their blocks, the prediction does not see.
bool comesToNoRegion(const model::Model &M) {
  try {
    return model::comesToNoRegion(model::lower(M, model::Calls::Expand));
  } catch (const model::ModelError &) {
    return false; // Only what keeps calls can have this model.
  }
}

} // namespace

int decidePredictive(const ModelCommand &C) {
  const model::Model M = readModel(C.File);
  profile::Prediction P = withProgress(
      [&] { return profile::predict(M, C.Locks, searchOptions(C)); });
  if (const model::Contents Has = model::contentsOf(P.Of); !Has.Regions)
    refuseWithoutBlock(C.File, Has);
  if (P.Found.isProved() && comesToNoRegion(M))
    refuseUnreached(C.File, "a block");
  if (P.Profiles)
    P.Found.States = P.Profiles;
  return tellSearch(C, report(C), P.Of, P.Found);
}

} // namespace atsan::tool
