//===- explore_findings.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_findings.h"
#include "lib/finding/Json.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace atsan::tool {

std::string keyOf(const RunFinding &F) { return F.Kind + ' ' + F.Fingerprint; }

/// Whether another run tells more of the finding: it has a schedule, or as much
/// as the one that is kept, and comes before it.
static bool isBetter(const std::string &Schedule, uint64_t Number,
                     const ExploredFinding &Kept) {
  if (Schedule.empty() != Kept.Schedule.empty())
    return !Schedule.empty();
  return Number < Kept.InRun;
}

ExploredFinding *Explored::add(const ExploredRun &Run, uint64_t Number) {
  ++Runs;
  for (const report::Process &P : Run.Logs.Processes) {
    HasRegions |= P.Regions != 0;
    HasExcluded |= P.Excluded != 0;
  }
  if (Run.Facts) {
    // Classes of other points cannot be compared.
    if (Run.Facts->HasLearned)
      Classes.clear();
    else
      Classes.insert(Run.Facts->Class);
    Accesses += Run.Facts->Accesses;
    Points += Run.Facts->Points;
    Threads = std::max(Threads, Run.Facts->Threads);
    HasMetOthers |= Run.Facts->HasMetOthers;
    Modules = std::max(Modules, Run.Facts->Modules);
    ModulesWithoutPoints =
        std::max(ModulesWithoutPoints, Run.Facts->ModulesWithoutPoints);
    if (Run.Facts->Coverage != "")
      Coverage = Run.Facts->Coverage;
    Gap = Run.Facts->Gap;
  }
  if (!Run.Finding)
    return nullptr;
  ExploredFinding &F = Findings[keyOf(*Run.Finding)];
  const bool IsNew = F.Runs++ == 0;
  if (IsNew || isBetter(Run.Schedule, Number, F)) {
    F.What = *Run.Finding;
    F.InRun = Number;
    F.Schedule = Run.Schedule;
    F.Order = Run.Order;
  }
  return IsNew ? &F : nullptr;
}

void Explored::join(const Explored &Other) {
  Accesses += Other.Accesses;
  Points += Other.Points;
  HasRegions |= Other.HasRegions;
  HasExcluded |= Other.HasExcluded;
  Forced += Other.Forced;
  Confirmed += Other.Confirmed;
  Classes.insert(Other.Classes.begin(), Other.Classes.end());
  if (Runs == 0) {
    Coverage = Other.Coverage;
    Gap = Other.Gap;
  } else if (Other.Runs != 0 && Other.Coverage != Coverage)
    Coverage = "sampled";
  Runs += Other.Runs;
  for (const auto &[Key, Theirs] : Other.Findings) {
    auto [It, IsNew] = Findings.try_emplace(Key, Theirs);
    if (IsNew)
      continue;
    ExploredFinding &Ours = It->second;
    const uint64_t Runs = Ours.Runs + Theirs.Runs;
    if (isBetter(Theirs.Schedule, Theirs.InRun, Ours))
      Ours = Theirs;
    Ours.Runs = Runs;
  }
}

/// The lines of reports, of which that of the finding also says what another
/// order its accesses had in the run that it was predicted from.
static std::string reportWithOrder(const ExploredFinding &F) {
  std::string Text;
  std::istringstream In(F.Report);
  for (std::string Line; std::getline(In, Line); Text += Line + '\n') {
    ordered_json Report = ordered_json::parse(Line, nullptr, false);
    if (!Report.is_object() ||
        Report.value("fingerprint", "") != F.What.Fingerprint)
      continue;
    Report["prediction"] = {{"recorded", F.Order.Recorded},
                            {"forced", F.Order.Forced}};
    Line = finding::toLine(Report);
  }
  return Text;
}

/// Makes the file; false: there is one already. Other shards that look for a
/// name at the same time get another one.
static bool makeNew(const std::string &Path) {
  FILE *File = std::fopen(Path.c_str(), "wx");
  if (File)
    std::fclose(File);
  return File || errno != EEXIST;
}

void writeFiles(ExploredFinding &F, const std::string &Folder,
                const std::string &Program) {
  if (F.Schedule.empty())
    return;
  for (unsigned I = 1;; ++I) {
    const std::string Name = Program + '.' + std::to_string(I) + ".sched";
    F.File = Folder == "." ? Name : (fs::path(Folder) / Name).string();
    if (makeNew(F.File) || textOf(F.File) == F.Schedule)
      break;
  }
  static constexpr char Remedy[] = "name another folder by --output";
  writeText(F.File, F.Schedule, Remedy);
  if (!F.Report.empty())
    writeText(F.File + ".json",
              F.Order.Forced.empty() ? F.Report : reportWithOrder(F), Remedy);
}

std::string wordsFor(std::string Kind) {
  std::replace(Kind.begin(), Kind.end(), '-', ' ');
  return "1 " + Kind;
}

} // namespace atsan::tool
