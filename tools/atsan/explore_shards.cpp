//===- explore_shards.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_shards.h"
#include "lib/finding/Json.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/explore_search.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

using nlohmann::ordered_json;

namespace atsan::tool {

/// What is behind the last slash of a word.
static std::string_view withoutFolder(std::string_view Word) {
  return Word.substr(Word.rfind('/') + 1);
}

bool Division::operator==(const Division &Other) const {
  return Shards == Other.Shards && Strategy == Other.Strategy &&
         Seed == Other.Seed &&
         std::equal(Command.begin(), Command.end(), Other.Command.begin(),
                    Other.Command.end(),
                    [](const std::string &A, const std::string &B) {
                      return withoutFolder(A) == withoutFolder(B);
                    });
}

// --- Which shard this is. ----------------------------------------------------

/// More machines than anybody has: what is missing is listed one by one.
static constexpr unsigned MaxShards = 1000000;

static std::optional<unsigned> numberIn(const std::string &Text) {
  unsigned Number = 0;
  const char *End = Text.c_str() + Text.size();
  const auto [Rest, Error] = std::from_chars(Text.c_str(), End, Number);
  if (Error != std::errc() || Rest != End || Number > MaxShards)
    return std::nullopt;
  return Number;
}

void readShard(const std::string &Text, ExploreOptions &O) {
  const size_t Slash = std::min(Text.find('/'), Text.size());
  const auto Index = numberIn(Text.substr(0, Slash));
  const auto Count = numberIn(Text.substr(std::min(Slash + 1, Text.size())));
  if (!Index || !Count || *Index < 1 || *Index > *Count)
    throw InputError("--shard=" + Text +
                     " is none; write --shard=1/4 for the first of four (at "
                     "most " +
                     std::to_string(MaxShards) + ")");
  O.Shard = *Index - 1;
  O.Shards = *Count;
}

void readShardVariables(ExploreOptions &O) {
  for (const std::string Runner : {"TEST", "GTEST"}) {
    const std::string Index = Runner + "_SHARD_INDEX",
                      Total = Runner + "_TOTAL_SHARDS";
    const char *I = getenv(Index.c_str()), *N = getenv(Total.c_str());
    if (I && N && O.Shards == 1) {
      const auto Before = numberIn(I), Count = numberIn(N);
      if (!Before || !Count || *Before >= *Count)
        throw InputError((Index + '=' + I)
                             .append(" and " + Total)
                             .append(1, '=')
                             .append(N)
                             .append(" name no shard; write 0 and 4 for the "
                                     "first of four, or unset both"));
      O.Shard = *Before;
      O.Shards = *Count;
    }
    unsetenv(Index.c_str());
    unsetenv(Total.c_str());
  }
  // By its time, Bazel knows that somebody cares for the variables.
  if (const char *File = getenv("TEST_SHARD_STATUS_FILE"))
    std::ofstream(File, std::ios::app).flush();
}

// --- Joining. ----------------------------------------------------------------

/// Whether \p A has seen more than \p B; if they differ, it is one of them.
static bool hasSeenMore(const ShardResult &A, const ShardResult &B) {
  const auto Rank = [](const ShardResult &R) {
    unsigned Replayed = 0;
    std::string Files;
    for (const auto &[Key, F] : R.Seen.Findings) {
      Replayed += F.Replayed;
      Files += Key + ' ' + F.File + '\n';
    }
    return std::make_tuple(R.HasEnded, R.Seen.Runs, Replayed, Files);
  };
  return Rank(A) > Rank(B);
}

void ShardedExploration::add(unsigned Shard, ShardResult Result) {
  const auto [It, IsNew] = Results.try_emplace(Shard, Result);
  if (IsNew)
    return;
  ShardResult &More = It->second;
  if (hasSeenMore(Result, More))
    std::swap(More, Result);
  // What the other one has found is found, too.
  for (const auto &[Key, F] : Result.Seen.Findings) {
    ExploredFinding &Known =
        More.Seen.Findings.try_emplace(Key, F).first->second;
    if (F.InRun < Known.InRun)
      Known = F;
  }
}

Explored ShardedExploration::joined() const {
  Explored All;
  for (const auto &[Shard, Result] : Results)
    All.join(Result.Seen);
  return All;
}

std::vector<std::string> ShardedExploration::missing() const {
  std::vector<std::string> Missing;
  for (unsigned Shard = 1; Shard <= Parts.Shards; ++Shard) {
    const std::string Name = "shard " + std::to_string(Shard) + " of " +
                             std::to_string(Parts.Shards);
    const auto Found = Results.find(Shard);
    if (Found == Results.end())
      Missing.push_back(Name + " is missing");
    else if (!Found->second.HasEnded)
      Missing.push_back(Name + " has not ended, after " +
                        std::to_string(Found->second.Seen.Runs) + " schedules");
  }
  return Missing;
}

// --- Lines. ------------------------------------------------------------------

std::string ShardedExploration::toJsonLines() const {
  std::string Out;
  for (const auto &[Shard, Result] : Results) {
    const Explored &E = Result.Seen;
    for (const auto &[Key, F] : E.Findings)
      Out += finding::toLine({{"type", "finding"},
                              {"shard", Shard},
                              {"kind", F.What.Kind},
                              {"fingerprint", F.What.Fingerprint},
                              {"headline", F.What.Headline},
                              {"run", F.InRun},
                              {"runs", F.Runs},
                              {"replayed", F.Replayed},
                              {"replays", F.Replays},
                              {"schedule_file", F.File},
                              {"schedule", F.Schedule},
                              {"report", F.Report}}) +
             "\n";
    Out += finding::toLine({{"type", "exploration"},
                            {"shard", Shard},
                            {"shards", Parts.Shards},
                            {"strategy", Parts.Strategy},
                            {"seed", Parts.Seed},
                            {"command", Parts.Command},
                            {"ended", Result.HasEnded},
                            {"runs", E.Runs},
                            {"points", E.Points},
                            {"accesses", E.Accesses},
                            {"forced", E.Forced},
                            {"confirmed", E.Confirmed},
                            {"coverage", E.Coverage},
                            {"gap", E.Gap},
                            {"has_regions", E.HasRegions},
                            {"has_excluded", E.HasExcluded},
                            {"classes", E.Classes}}) +
           "\n";
  }
  return Out;
}

namespace {

/// A file of such lines, while it is read.
struct LinesRead {
  std::optional<Division> Parts;
  std::map<unsigned, ShardResult> Results;
  bool IsMixed = false; ///< The lines are of several explorations.

  void take(const ordered_json &Line) {
    ShardResult &Result = Results[Line.at("shard").get<unsigned>()];
    Explored &E = Result.Seen;
    if (Line.at("type") == "exploration") {
      takeDivision({Line.at("shards"), Line.at("strategy"), Line.at("seed"),
                    Line.at("command")});
      Result.HasEnded = Line.at("ended");
      E.Runs = Line.at("runs");
      E.Points = Line.at("points");
      E.Accesses = Line.at("accesses");
      E.Forced = Line.at("forced");
      E.Confirmed = Line.at("confirmed");
      E.Coverage = Line.at("coverage");
      E.Gap = Line.value("gap", "");
      E.HasRegions = Line.value("has_regions", true);
      E.HasExcluded = Line.value("has_excluded", false);
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
    F.Report = Line.at("report");
    E.Findings[keyOf(F.What)] = F;
  }

  void takeDivision(const Division &D) {
    IsMixed |= Parts && !(*Parts == D);
    Parts = D;
  }
};

} // namespace

void ShardedExploration::addJsonLines(const std::string &Text,
                                      const std::string &Name) {
  LinesRead Read;
  std::istringstream In(Text);
  size_t Number = 0;
  for (std::string Line; std::getline(In, Line);) {
    ++Number;
    if (Line.empty())
      continue;
    try {
      Read.take(ordered_json::parse(Line));
    } catch (const nlohmann::json::exception &) {
      // Somebody was stopped while writing or copying it.
      if (In.eof() && Read.Parts)
        break;
      throw InputError(Name + ':' + std::to_string(Number) +
                       ": no line of 'atsan explore --json'; run that shard "
                       "again");
    }
  }
  if (!Read.Parts)
    throw InputError(Name + ": has no line of type 'exploration', which 'atsan "
                            "explore --json' writes; run that shard again");
  if (Results.empty())
    Parts = *Read.Parts;
  Parts.Command = std::min(Parts.Command, Read.Parts->Command);
  if (Read.IsMixed || !(Parts == *Read.Parts))
    throw InputError(Name +
                     ": is of another exploration than what was read "
                     "before it: shards have the same command, --strategy, "
                     "--seed and number");
  if (Parts.Shards > MaxShards)
    throw InputError(Name + ": more than " + std::to_string(MaxShards) +
                     " shards cannot be joined; run them again with another "
                     "--shard");
  for (auto &[Shard, Result] : Read.Results) {
    if (Shard < 1 || Shard > Parts.Shards)
      throw InputError(Name + ": shard " + std::to_string(Shard) +
                       " is none of " + std::to_string(Parts.Shards) +
                       "; run that shard again");
    add(Shard, std::move(Result));
  }
}

} // namespace atsan::tool
