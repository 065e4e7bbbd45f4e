//===- JsonWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Outcome.h"
#include <nlohmann/json.hpp>

using namespace atsan::registers;
using nlohmann::ordered_json;

static ordered_json operationJson(const Operation &O, const History &In) {
  ordered_json J;
  J["line"] = O.Line;
  J["process"] = processName(O, In);
  J["operation"] = describe(O, In.Known);
  J["call"] = O.Call;
  if (!O.isUnknown())
    J["return"] = O.Return;
  return J;
}

static ordered_json findingJson(const RegisterOutcome &R, const History &In) {
  const auto List = [&](const std::vector<uint32_t> &Indices) {
    ordered_json J = ordered_json::array();
    for (const uint32_t I : Indices)
      J.push_back(operationJson(R.Of->Operations[I], In));
    return J;
  };
  ordered_json J;
  J["notion"] = "violation";
  J["kind"] = "linearizability-violation";
  J["message"] = messageOf(R, In);
  J["register"] = R.Of->Key;
  J["algorithm"] = R.Decided.Algorithm;
  J["operation"] = operationJson(R.Of->Operations[R.Why->Offending], In);
  J["possible"] = ordered_json::array();
  for (const Value V : R.Why->Possible)
    J["possible"].push_back(In.Known.text(V));
  J["prefix_returns"] = R.Why->PrefixReturns;
  J["core"] = List(R.Why->Core);
  J["minimal"] = R.Why->IsMinimal;
  J["around"] = List(around(R));
  return J;
}

std::string atsan::registers::writeJson(const Outcome &O,
                                        const std::string &ToolVersion) {
  const History &In = *O.Of;
  ordered_json J;
  J["schema"] = "atsan-registers-1";
  J["version"] = ToolVersion;
  J["history"] = O.File;
  J["verdict"] = O.verdict();
  J["operations"] = In.operations();
  J["processes"] = In.Processes.size();
  J["registers"] = In.Registers.size();
  J["failed"] = In.Failed;
  J["reads_without_result"] = In.ReadsWithoutResult;
  J["algorithms"] = ordered_json::object();
  for (const RegisterOutcome &R : O.Registers)
    J["algorithms"][R.Decided.Algorithm] =
        J["algorithms"].value(R.Decided.Algorithm, 0) + 1;
  for (const RegisterOutcome &R : O.Registers)
    if (R.Decided.Is == Verdict::Unknown)
      J["gave_up"] = R.Decided.GaveUp;
  J["findings"] = ordered_json::array();
  for (const RegisterOutcome &R : O.Registers)
    if (R.Why)
      J["findings"].push_back(findingJson(R, In));
  if (O.WantsOrder)
    J["orders"] = ordered_json::array();
  for (const RegisterOutcome &R : O.Registers) {
    if (!O.WantsOrder || R.Decided.Is != Verdict::Linearizable)
      continue;
    ordered_json Order = ordered_json::array();
    for (const uint32_t I : R.Decided.Order)
      Order.push_back(operationJson(R.Of->Operations[I], In));
    J["orders"].push_back({{"register", R.Of->Key}, {"operations", Order}});
  }
  // Names in a history may be of any bytes.
  return J.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}
