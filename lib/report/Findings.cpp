//===- Findings.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Findings.h"
#include "lib/report/Words.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

using nlohmann::ordered_json;

namespace atsan::report {

static constexpr char BaselineSchema[] = "atsan-baseline-1";

static bool explainsBetter(const Report &A, const Report &B) {
  return std::forward_as_tuple(A.Steps.size(), A.Message, A.Pid) <
         std::forward_as_tuple(B.Steps.size(), B.Message, B.Pid);
}

static auto sortKey(const Finding &F) {
  const Report &R = F.Shown;
  const Frame Place = R.Summary.value_or(Frame());
  return std::make_tuple(F.Known, Place.File, Place.Line, Place.Column, R.Kind,
                         R.Fingerprint);
}

/// Puts new findings first, then sorts by place.
static void sort(std::vector<Finding> &Findings) {
  std::sort(Findings.begin(), Findings.end(),
            [](const Finding &A, const Finding &B) {
              return sortKey(A) < sortKey(B);
            });
}

std::vector<Finding> collectFindings(const std::vector<Report> &Reports) {
  std::map<std::string, std::vector<const Report *>> Groups;
  for (const Report &R : Reports)
    Groups[R.Fingerprint].push_back(&R);

  std::vector<Finding> Out;
  for (const auto &[Fingerprint, Group] : Groups) {
    std::set<std::pair<std::string, uint64_t>> Processes;
    const Report *Best = Group.front();
    for (const Report *R : Group) {
      Processes.insert({R->Log, R->Pid});
      if (explainsBetter(*R, *Best))
        Best = R;
    }
    Out.push_back({*Best, Group.size(), Processes.size(), false});
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
  return Value.dump(2) + '\n';
}

void addToBaseline(const std::vector<Finding> &Findings, Baseline &To) {
  for (const Finding &F : Findings)
    To[F.Shown.Fingerprint] = describeForBaseline(F.Shown);
}

size_t compareWithBaseline(const Baseline &With,
                           std::vector<Finding> &Findings) {
  size_t Found = 0;
  for (Finding &F : Findings) {
    F.Known = With.count(F.Shown.Fingerprint) != 0;
    Found += F.Known;
  }
  sort(Findings);
  return With.size() - Found;
}

} // namespace atsan::report
