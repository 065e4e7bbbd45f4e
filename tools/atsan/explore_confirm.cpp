//===- explore_confirm.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_confirm.h"
#include "tools/atsan/interruption.h"
#include "tools/atsan/scratch_folder.h"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
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

/// The run's finding, if it is a report.
static const finding::Finding *reportOf(const ExploredRun &Run) {
  for (const finding::Finding &Report : Run.Logs.Reports)
    if (Run.Finding && Report.Fingerprint == Run.Finding->Fingerprint)
      return &Report;
  return nullptr;
}

/// Are the places of a stack with symbols those of one without? Symbols leave
/// frames out, of the standard library for one, and show what was inlined.
static bool areSamePlaces(const finding::Stack &Shown,
                          const finding::Stack &Raw) {
  auto At = Raw.begin();
  for (const finding::Frame &F : Shown) {
    const auto IsIt = [&F](const finding::Frame &Other) {
      return Other.Module == F.Module && Other.Offset == F.Offset;
    };
    At = std::find_if(At, Raw.end(), IsIt);
    if (At == Raw.end())
      return false;
  }
  return true;
}

/// Are two reports of one finding, of which the second has no symbols?
static bool areSame(const finding::Finding &Shown,
                    const finding::Finding &Raw) {
  const auto AreSameEvents = [](const finding::Event &A,
                                const finding::Event &B) {
    return A.Role == B.Role && A.Access == B.Access && A.Thread == B.Thread &&
           A.Region == B.Region && areSamePlaces(A.Frames, B.Frames);
  };
  return Shown.Kind == Raw.Kind &&
         std::equal(Shown.Steps.begin(), Shown.Steps.end(), Raw.Steps.begin(),
                    Raw.Steps.end(),
                    [&](const finding::Step &A, const finding::Step &B) {
                      return AreSameEvents(A.First, B.First) &&
                             AreSameEvents(A.Later, B.Later);
                    });
}

namespace {

/// Follows schedules, and says whether a finding shows.
class Replayer {
public:
  Replayer(const ExploredFinding &F, const Runner &R, const std::string &Folder)
      : F(F), R(R), File(Folder + "/followed") {}

  bool shows(const std::string &Schedule) {
    writeText(File, Schedule, kScratchRemedy);
    // A suppression works on symbols, so that without them another finding can
    // come first.
    if (Shown && !Shown->Steps.empty()) {
      const ExploredRun Run = R.replay(File, /*WithSymbols=*/false);
      if (const finding::Finding *Raw = reportOf(Run);
          Raw && areSame(*Shown, *Raw))
        return true;
    }
    const ExploredRun Run = R.replay(File);
    if (!isSame(Run, F))
      return false;
    if (const finding::Finding *Report = reportOf(Run)) {
      Shown = *Report;
      Text = textOf(Report->Log);
    }
    return true;
  }
  /// What `atsan report` reads of the finding; empty: there is nothing.
  const std::string &report() const { return Text; }

private:
  const ExploredFinding &F;
  const Runner &R;
  std::string File;
  std::optional<finding::Finding> Shown; ///< With symbols.
  std::string Text;
};

} // namespace

/// The schedule without the switches that the finding does not need, each
/// tried once, from the last one to the first.
static std::string minimized(const ExploredFinding &F, Replayer &Again) {
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
    if (Again.shows(Joined(Fewer)))
      Lines = std::move(Fewer);
  }
  return Joined(Lines);
}

void confirm(ExploredFinding &F, const ExploreOptions &O, const Runner &R,
             const std::string &Folder) {
  Replayer Again(F, R, Folder);
  F.Replays = 0;
  // A program that is killed has written none.
  if (F.Schedule.empty())
    return;
  // The schedule is worth the same without replays.
  untilInterrupted([&] {
    if (O.Minimize)
      F.Schedule = minimized(F, Again);
    for (; F.Replays != O.Replays; ++F.Replays)
      F.Replayed += Again.shows(F.Schedule);
  });
  F.Report = Again.report();
  writeFiles(F, O.Output,
             O.Name.empty() ? fs::path(O.Command[0]).filename().string()
                            : fileName(O.Name));
}

} // namespace atsan::tool
