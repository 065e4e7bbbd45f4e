//===- explore_findings.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_findings.h"
#include "tools/atsan/Command.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

using nlohmann::ordered_json;

namespace atsan::tool {

static std::string keyOf(const RunFinding &F) {
  return F.Kind + ' ' + F.Fingerprint;
}

ExploredFinding *Explored::add(const ExploredRun &Run, uint64_t Number) {
  ++Runs;
  if (Run.Facts) {
    // Classes of other points cannot be compared.
    if (Run.Facts->HasLearned)
      Classes.clear();
    else
      Classes.insert(Run.Facts->Class);
    Accesses += Run.Facts->Accesses;
    Points += Run.Facts->Points;
    if (Run.Facts->Coverage != "")
      Coverage = Run.Facts->Coverage;
  }
  if (!Run.Finding)
    return nullptr;
  ExploredFinding &F = Findings[keyOf(*Run.Finding)];
  const bool IsNew = F.Runs++ == 0;
  if (IsNew || Number < F.InRun) {
    F.What = *Run.Finding;
    F.InRun = Number;
    F.Schedule = Run.Schedule;
  }
  return IsNew ? &F : nullptr;
}

void Explored::join(const Explored &Other) {
  Runs += Other.Runs;
  Accesses += Other.Accesses;
  Points += Other.Points;
  Predicted += Other.Predicted;
  Confirmed += Other.Confirmed;
  Classes.insert(Other.Classes.begin(), Other.Classes.end());
  if (Other.Coverage != Coverage)
    Coverage = "sampled";
  for (const auto &[Key, Theirs] : Other.Findings) {
    auto [It, IsNew] = Findings.try_emplace(Key, Theirs);
    if (IsNew)
      continue;
    ExploredFinding &Ours = It->second;
    const uint64_t Runs = Ours.Runs + Theirs.Runs;
    if (Theirs.InRun < Ours.InRun)
      Ours = Theirs;
    Ours.Runs = Runs;
  }
}

std::string toJsonLines(const Explored &E) {
  std::string Out;
  for (const auto &[Key, F] : E.Findings)
    Out += ordered_json{{"type", "finding"},
                        {"kind", F.What.Kind},
                        {"fingerprint", F.What.Fingerprint},
                        {"headline", F.What.Headline},
                        {"run", F.InRun},
                        {"runs", F.Runs},
                        {"replayed", F.Replayed},
                        {"replays", F.Replays},
                        {"schedule_file", F.File},
                        {"schedule", F.Schedule}}
               .dump() +
           '\n';
  Out += ordered_json{{"type", "exploration"},    {"runs", E.Runs},
                      {"points", E.Points},       {"accesses", E.Accesses},
                      {"predicted", E.Predicted}, {"confirmed", E.Confirmed},
                      {"coverage", E.Coverage},   {"classes", E.Classes}}
             .dump() +
         '\n';
  return Out;
}

static void readLine(const ordered_json &Line, Explored &E) {
  if (Line.at("type") == "exploration") {
    E.Runs = Line.at("runs");
    E.Points = Line.at("points");
    E.Accesses = Line.at("accesses");
    E.Predicted = Line.at("predicted");
    E.Confirmed = Line.at("confirmed");
    E.Coverage = Line.at("coverage");
    E.Classes = Line.at("classes").get<std::set<std::string>>();
    return;
  }
  ExploredFinding F;
  F.What = {Line.at("kind"), Line.at("fingerprint"), Line.at("headline")};
  F.InRun = Line.at("run");
  F.Runs = Line.at("runs");
  F.Replayed = Line.at("replayed");
  F.Replays = Line.at("replays");
  F.File = Line.at("schedule_file");
  F.Schedule = Line.at("schedule");
  E.Findings[keyOf(F.What)] = F;
}

Explored fromJsonLines(const std::string &Text, const std::string &Name) {
  Explored E;
  bool IsWhole = false;
  std::istringstream In(Text);
  size_t Number = 0;
  for (std::string Line; std::getline(In, Line);) {
    ++Number;
    if (Line.empty())
      continue;
    try {
      const ordered_json Parsed = ordered_json::parse(Line);
      readLine(Parsed, E);
      IsWhole |= Parsed.at("type") == "exploration";
    } catch (const nlohmann::json::exception &) {
      throw InputError(Name + ':' + std::to_string(Number) +
                       ": no line of 'atsan explore --json'; run that shard "
                       "again");
    }
  }
  if (!IsWhole)
    throw InputError(Name + ": the last line of 'atsan explore --json' is "
                            "missing; run that shard again");
  return E;
}

std::string wordsFor(const std::string &Kind, size_t Count) {
  std::string Words = Kind;
  std::replace(Words.begin(), Words.end(), '-', ' ');
  if (Count != 1)
    Words += Kind == "crash" ? "es" : "s";
  return std::to_string(Count) + ' ' + Words;
}

} // namespace atsan::tool
