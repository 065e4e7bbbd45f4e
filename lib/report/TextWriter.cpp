//===- TextWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Writers.h"
#include <algorithm>
#include <sstream>

namespace atsan::report {

size_t Summary::newFindings() const {
  return std::count_if(Findings.begin(), Findings.end(),
                       [](const Group &F) { return !F.Known; });
}

bool Summary::fails(const Group &F) const {
  return !F.Known && (FailOnPotential || !F.Shown.isPotential());
}

size_t Summary::failing() const {
  return std::count_if(Findings.begin(), Findings.end(),
                       [this](const Group &F) { return fails(F); });
}

/// Ends a line, and says on the next one where that was, if it is known.
static void writePlace(std::ostream &Out, const Stack &Frames,
                       const Places &P) {
  if (const Frame *Place = userFrame(Frames))
    Out << "\n        at " << P.place(*Place);
  Out << '\n';
}

static void writeEvent(std::ostream &Out, const Finding &R, const Event &E,
                       const Places &P) {
  Out << eventWords(R, E) << " by " << threadName(R, E.Thread)
      << unitWords(R, E);
  writePlace(Out, E.Frames, P);
}

/// A note of any number of lines.
static std::string indented(const std::string &Note) {
  std::istringstream Lines(Note);
  std::string Text;
  for (std::string Line; std::getline(Lines, Line);)
    Text += "   " + Line + '\n';
  return Text;
}

static void writeFinding(std::ostream &Out, const Group &F, size_t Number,
                         const Summary &S, const Places &P) {
  const Finding &R = F.Shown;
  Out << Number << ". " << R.Kind << notionWords(R);
  if (R.Summary)
    Out << " at " << P.place(*R.Summary);
  if (S.HasBaseline)
    Out << (F.Known ? " [known]" : " [new]");
  Out << "\n   " << messageWords(R) << "\n   " << counted(F.Reports, "report")
      << " by " << counted(F.Processes, "process", "processes")
      << ", fingerprint " << R.Fingerprint << '\n';
  for (size_t I = 0; I < R.Steps.size(); ++I) {
    Out << "   Step " << I + 1 << ": ";
    if (R.isPotential())
      Out << R.Steps[I].Why << ":\n      ";
    writeEvent(Out, R, R.Steps[I].First, P);
    Out << "      " << (R.isPotential() ? "and " : "before ");
    writeEvent(Out, R, R.Steps[I].Later, P);
  }
  if (!R.ForcedOrder.empty())
    Out << "   In the recorded run: " << R.RecordedOrder
        << "\n   In the forced run: " << R.ForcedOrder << '\n';
  for (const Operation &O : R.Operations)
    if (O.IsCore) {
      Out << "   " << describeOperation(R, O);
      writePlace(Out, O.Frames, P);
    }
  for (const std::string &Note : R.Notes)
    Out << indented(Note);
  if (!R.Suppression.empty())
    Out << "   To suppress it: " << R.Suppression << '\n';
  Out << '\n';
}

std::string writeText(const Summary &S, const Places &P) {
  std::ostringstream Out;
  for (size_t I = 0; I < S.Findings.size(); ++I)
    writeFinding(Out, S.Findings[I], I + 1, S, P);
  Out << counted(S.Findings.size(), "finding");
  if (S.HasBaseline) {
    Out << ", " << S.newFindings() << " of them new";
    if (S.NotFound)
      Out << "; " << S.NotFound << " of the baseline not found";
  }
  Out << " (" << counted(S.Reports, "report") << ")\n";
  return Out.str();
}

} // namespace atsan::report
