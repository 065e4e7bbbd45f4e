//===- JsonWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Violations.h"
#include "lib/check/Writers.h"
#include "lib/trace/EventText.h"
#include <nlohmann/json.hpp>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;
using atsan::trace::Frame;
using atsan::trace::hexText;
using nlohmann::ordered_json;

static void addCode(ordered_json &To, const Words &W, uint32_t Location) {
  const std::string Short = W.Names.location(Location);
  if (!Short.empty())
    To["location"] = Short;
  ordered_json Stack = ordered_json::array();
  for (const Frame &F : W.Names.stack(Location)) {
    ordered_json J = ordered_json::object();
    if (!F.Function.empty())
      J["function"] = F.Function;
    if (!F.File.empty()) {
      J["file"] = F.File;
      if (F.Line)
        J["line"] = F.Line;
      if (F.Line && F.Column)
        J["column"] = F.Column;
    }
    if (!F.Module.empty()) {
      J["module"] = F.Module;
      J["offset"] = hexText(F.Offset);
    }
    Stack.push_back(J);
  }
  if (!Stack.empty())
    To["stack"] = Stack;
}

static ordered_json regionJson(const NumberedEvent &Begin, const Words &W) {
  ordered_json J;
  const std::string Name = W.regionName(Begin);
  if (!Name.empty())
    J["name"] = Name;
  J["title"] = W.title(Begin);
  if (W.run(Begin))
    J["run"] = W.run(Begin);
  J["thread"] = W.thread(Begin.What.Thread);
  J["event"] = Begin.Number;
  addCode(J, W, Begin.What.Location);
  return J;
}

static ordered_json eventJson(const NumberedEvent &E, const Words &W) {
  ordered_json J;
  const Event &V = E.What;
  if (E.Number)
    J["event"] = E.Number;
  J["thread"] = W.thread(V.Thread);
  J["operation"] = W.operation(E);
  if (!E.Number)
    return J;
  switch (V.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
  case EventKind::Birth:
  case EventKind::Death:
    J["variable"] = W.Names.variable(V.Address);
    J["size"] = V.Size;
    break;
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    J["lock"] = W.Names.lock(V.Address);
    break;
  case EventKind::Start:
  case EventKind::Join:
    J["other_thread"] = W.thread(V.Address);
    break;
  default:
    break;
  }
  if (const Place *P = W.Explained.find(E.Number)) {
    J["transaction"] = P->Transaction;
    if (P->Region.Number)
      J["region"] = regionJson(P->Region, W);
  }
  addCode(J, W, V.Location);
  return J;
}

static ordered_json numberOrNull(const NumberedEvent &E) {
  return E.Number ? ordered_json(E.Number) : ordered_json();
}

static ordered_json witnessJson(const Finding &F) {
  ordered_json J = {{"order", ordered_json::array()},
                    {"constraints", ordered_json::array()},
                    {"changed_reads", ordered_json::array()}};
  for (const NumberedEvent &E : F.Order)
    J["order"].push_back(E.Number);
  for (const Relation &R : F.Relations)
    if (R.Why != reason::ProgramOrder && R.First.Number && R.Later.Number)
      J["constraints"].push_back(
          {{"first", R.First.Number}, {"later", R.Later.Number}});
  for (const ChangedRead &R : F.ChangedReads)
    J["changed_reads"].push_back({{"read", R.Read.Number},
                                  {"was", numberOrNull(R.Was)},
                                  {"would", numberOrNull(R.Would)}});
  return J;
}

static ordered_json findingJson(const Finding &F, const Words &W) {
  ordered_json J;
  J["notion"] = F.What == Notion::Violation ? "violation" : "potential";
  J["kind"] = F.Kind;
  J["message"] = F.Message;
  if (!F.Shape.empty())
    J["shape"] = F.Shape;
  if (F.Closing)
    J["event"] = F.Closing;
  J["blamed"] = ordered_json::array();
  for (const Transaction &T : F.Blamed)
    if (T.Begin.Number)
      J["blamed"].push_back(regionJson(T.Begin, W));
  J["relations"] = ordered_json::array();
  for (const Relation &R : F.Relations)
    J["relations"].push_back({{"first", eventJson(R.First, W)},
                              {"later", eventJson(R.Later, W)},
                              {"why", R.Why}});
  J["notes"] = F.Notes;
  if (!F.Order.empty())
    J["witness"] = witnessJson(F);
  return J;
}

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
  J["schema"] = "atsan-check-1";
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
    J["findings"].push_back(findingJson(F, W));
  }
  if (!O.Statistics.empty())
    for (const auto &S : O.Statistics)
      J["statistics"][S.first] = S.second;
  // Names in a trace may be of any bytes.
  return J.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}
