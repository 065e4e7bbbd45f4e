//===- JsonWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Describe.h"
#include "lib/check/Writers.h"
#include "lib/finding/Json.h"

using namespace atsan::check;
using nlohmann::ordered_json;

static ordered_json splitsJson(const RegionSplits &S) {
  ordered_json J = ordered_json::array();
  if (S.Start)
    J.push_back("start");
  if (S.Join)
    J.push_back("join");
  if (S.Barrier)
    J.push_back("barrier");
  if (S.Wait)
    J.push_back("wait");
  return J;
}

std::string atsan::check::writeJson(const Outcome &O, Words &W,
                                    const std::string &ToolVersion) {
  ordered_json J;
  J["schema"] = "atsan-check-2";
  J["version"] = ToolVersion;
  J["trace"] = O.Trace;
  J["algorithm"] = O.Algorithm;
  if (!O.Locks.empty())
    J["locks"] = O.Locks;
  if (O.HasLevel)
    J["level"] = O.Given.Level;
  J["lock_edges"] = O.Given.LockEdges;
  J["region_splits"] = splitsJson(O.Given.Splits);
  J["all"] = O.Given.All;
  J["notion"] = O.Decided;
  J["verdict"] = O.verdict();
  J["events"] = O.Events;
  if (!O.Damage.empty())
    J["damage"] = O.Damage;
  if (!O.GaveUp.empty())
    J["gave_up"] = O.GaveUp;
  J["findings"] = ordered_json::array();
  for (const Finding &F : O.Findings) {
    W.speakOf(F);
    ordered_json &New =
        J["findings"].emplace_back(finding::toJson(describe(F, W, O.Trace)));
    if (F.Closing)
      New["event"] = F.Closing;
  }
  if (!O.Statistics.empty())
    for (const auto &S : O.Statistics)
      J["statistics"][S.first] = S.second;
  return finding::toText(J);
}
