//===- JsonWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Identity.h"
#include "lib/finding/Json.h"
#include "lib/registers/Outcome.h"
#include <algorithm>

using namespace atsan::registers;
using nlohmann::ordered_json;
namespace finding = atsan::finding;

namespace {

/// Describes what is wrong with one register.
class Describer {
public:
  Describer(const RegisterOutcome &R, const History &In,
            const std::string &File)
      : R(R), In(In), File(File) {}

  finding::Finding describe();

private:
  finding::Operation operation(uint32_t Index);
  std::string fingerprint() const;

  const RegisterOutcome &R;
  const History &In;
  const std::string &File;
  finding::Finding Out;
};

} // namespace

finding::Operation Describer::operation(uint32_t Index) {
  const Operation &O = R.Of->Operations[Index];
  const std::vector<uint32_t> &Core = R.Why->Core;
  finding::Operation New;
  New.Thread = Out.threadCalled(processName(O, In));
  New.What = ::describe(O, In);
  New.Call = O.Call;
  if (!O.isUnknown())
    New.Return = O.Return;
  New.IsCore = std::find(Core.begin(), Core.end(), Index) != Core.end();
  New.IsOffending = Index == R.Why->Offending;
  New.Frames = {finding::lineOf(File, O.Line)};
  return New;
}

/// Values and stamps, which vary from run to run, are no part of it.
std::string Describer::fingerprint() const {
  const std::string Bad = ::describe(R.Of->Operations[R.Why->Offending], In);
  finding::Identity Id;
  Id.add(Out.Kind);
  Id.add(File.substr(File.rfind('/') + 1));
  Id.add(R.Of->Key);
  Id.add(Bad.substr(0, Bad.find(' ')));
  return Id.result('r');
}

finding::Finding Describer::describe() {
  Out.Kind = "linearizability-violation";
  Out.Message = messageOf(R, In);
  Out.Notion = "violation";
  for (const uint32_t I : around(R))
    Out.Operations.push_back(operation(I));
  Out.Summary = finding::lineOf(File, R.Of->Operations[R.Why->Offending].Line);
  Out.Fingerprint = fingerprint();
  return std::move(Out);
}

static ordered_json findingJson(const RegisterOutcome &R, const History &In,
                                const std::string &File) {
  ordered_json J = finding::toJson(Describer(R, In, File).describe());
  J["register"] = R.Of->Key;
  J["algorithm"] = R.Decided.Algorithm;
  J["possible"] = ordered_json::array();
  for (const Value V : R.Why->Possible)
    J["possible"].push_back(In.Known.text(V));
  J["possible_has_more"] = R.Why->HasMore;
  J["prefix_returns"] = R.Why->PrefixReturns;
  J["minimal"] = R.Why->IsMinimal;
  return J;
}

static ordered_json operationJson(const Operation &O, const History &In) {
  ordered_json J;
  J["line"] = O.Line;
  J["process"] = processName(O, In);
  J["operation"] = describe(O, In);
  J["call"] = O.Call;
  if (!O.isUnknown())
    J["return"] = O.Return;
  return J;
}

std::string atsan::registers::writeJson(const Outcome &O,
                                        const std::string &ToolVersion) {
  const History &In = *O.Of;
  ordered_json J;
  J["schema"] = "atsan-registers-2";
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
      J["findings"].push_back(findingJson(R, In, O.File));
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
  return finding::toText(J);
}
