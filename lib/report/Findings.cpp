//===- Findings.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Findings.h"
#include "lib/finding/Json.h"
#include "lib/report/Parts.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

using nlohmann::ordered_json;

namespace atsan::report {

static bool explainsBetter(const Finding &A, const Finding &B) {
  return std::forward_as_tuple(A.Steps.size(), A.Message, A.Pid) <
         std::forward_as_tuple(B.Steps.size(), B.Message, B.Pid);
}

static auto sortKey(const Group &F) {
  const Finding &R = F.Shown;
  const Frame Place = R.Summary.value_or(Frame());
  return std::make_tuple(F.Known, Place.File, Place.Line, Place.Column, R.Kind,
                         R.Fingerprint);
}

/// Puts new findings first, then sorts by place.
static void sort(std::vector<Group> &Findings) {
  std::sort(
      Findings.begin(), Findings.end(),
      [](const Group &A, const Group &B) { return sortKey(A) < sortKey(B); });
}

std::vector<Group> collectFindings(const std::vector<Finding> &All) {
  std::map<std::string, std::vector<const Finding *>> ByFingerprint;
  for (const Finding &R : All)
    ByFingerprint[R.Fingerprint].push_back(&R);

  std::vector<Group> Out;
  for (const auto &[Fingerprint, Reports] : ByFingerprint) {
    std::set<std::pair<std::string, uint64_t>> Processes;
    const Finding *Best = Reports.front();
    for (const Finding *R : Reports) {
      Processes.insert({R->Log, R->Pid});
      if (explainsBetter(*R, *Best))
        Best = R;
    }
    Out.push_back({*Best, Reports.size(), Processes.size(), false});
  }
  sort(Out);
  return Out;
}

Baseline parseBaseline(std::string_view Text, const std::string &Name) {
  const std::string Remedy = "; write it anew with --write-baseline";
  try {
    const auto Value = ordered_json::parse(Text);
    if (!Value.is_object() || !Value.contains("schema"))
      throw std::runtime_error(Name +
                               ": this is no baseline: it is JSON, but "
                               "has no 'schema'" +
                               Remedy);
    const std::string Schema = Value.at("schema");
    if (Schema != BaselineSchema)
      throw std::runtime_error(Name + ": the schema is '" + Schema +
                               "', expected '" + BaselineSchema + "'" + Remedy);
    Baseline Out;
    for (const auto &Entry : Value.at("findings"))
      Out[Entry.at("fingerprint")] = Entry.value("description", "");
    return Out;
  } catch (const nlohmann::json::parse_error &Error) {
    throw std::runtime_error(Name +
                             ": this is no baseline: it is no JSON from "
                             "byte " +
                             std::to_string(Error.byte) + " on" + Remedy);
  } catch (const nlohmann::json::exception &) {
    throw std::runtime_error(Name +
                             ": this is no baseline: 'findings' has to "
                             "be a list of objects with a 'fingerprint'" +
                             Remedy);
  }
}

std::string formatBaseline(const Baseline &Of) {
  ordered_json Findings = ordered_json::array();
  for (const auto &[Fingerprint, Description] : Of)
    Findings.push_back(
        {{"fingerprint", Fingerprint}, {"description", Description}});
  const ordered_json Value = {{"schema", BaselineSchema},
                              {"findings", Findings}};
  return finding::toText(Value);
}

void addToBaseline(const std::vector<Group> &Findings, Baseline &To) {
  for (const Group &F : Findings)
    To[F.Shown.Fingerprint] = describeForBaseline(F.Shown);
}

size_t compareWithBaseline(const Baseline &With, std::vector<Group> &Findings) {
  size_t Found = 0;
  for (Group &F : Findings) {
    F.Known = With.count(F.Shown.Fingerprint) != 0;
    Found += F.Known;
  }
  sort(Findings);
  return With.size() - Found;
}

} // namespace atsan::report
