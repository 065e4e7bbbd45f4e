//===- explore_confirm.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_confirm.h"
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace atsan::tool {

/// The name of a test, as a part of the name of a file.
static std::string fileName(std::string Test) {
  for (char &C : Test)
    if (!std::isalnum(static_cast<unsigned char>(C)) && !std::strchr("._-", C))
      C = '_';
  return Test;
}

static bool isSame(const ExploredRun &Run, const ExploredFinding &F) {
  return Run.Finding && Run.Finding->Kind == F.What.Kind &&
         Run.Finding->Fingerprint == F.What.Fingerprint;
}

/// What `atsan report` reads of the run's finding; empty: there is nothing.
static std::string reportOf(const ExploredRun &Run) {
  for (const finding::Finding &Report : Run.Logs.Reports)
    if (Report.Fingerprint == Run.Finding->Fingerprint)
      return textOf(Report.Log);
  return "";
}

static ExploredRun replay(const Runner &R, const std::string &Folder,
                          const std::string &Schedule) {
  const std::string File = Folder + "/followed";
  std::ofstream(File) << Schedule;
  return R.replay(File);
}

/// The schedule without the switches that the finding does not need, each
/// tried once, from the last one to the first.
static std::string minimized(const ExploredFinding &F, const Runner &R,
                             const std::string &Folder) {
  const auto Joined = [](const std::vector<std::string> &Lines) {
    std::string Text;
    for (const std::string &Line : Lines)
      Text += Line + '\n';
    return Text;
  };
  std::vector<std::string> Lines;
  std::istringstream In(F.Schedule);
  for (std::string Line; std::getline(In, Line);)
    Lines.push_back(Line);
  for (size_t I = Lines.size(); I-- > 0;) {
    if (Lines[I].compare(0, 7, "switch ") != 0)
      continue;
    std::vector<std::string> Fewer = Lines;
    Fewer.erase(Fewer.begin() + static_cast<std::ptrdiff_t>(I));
    if (isSame(replay(R, Folder, Joined(Fewer)), F))
      Lines = std::move(Fewer);
  }
  return Joined(Lines);
}

void confirm(ExploredFinding &F, const ExploreOptions &O, const Runner &R,
             const std::string &Folder) {
  if (O.Minimize)
    F.Schedule = minimized(F, R, Folder);
  for (F.Replays = 0; F.Replays != O.Replays; ++F.Replays) {
    const ExploredRun Run = replay(R, Folder, F.Schedule);
    if (!isSame(Run, F))
      continue;
    ++F.Replayed;
    F.Report = reportOf(Run);
  }
  writeFiles(F, O.Output,
             O.Name.empty() ? fs::path(O.Command[0]).filename().string()
                            : fileName(O.Name));
}

} // namespace atsan::tool
