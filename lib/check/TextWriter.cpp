//===- TextWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Violations.h"
#include "lib/check/Writers.h"
#include "lib/finding/Words.h"
#include <algorithm>
#include <sstream>

using namespace atsan::check;

size_t Outcome::count(Notion N) const {
  return std::count_if(Findings.begin(), Findings.end(),
                       [&](const Finding &F) { return F.What == N; });
}

const char *Outcome::verdict() const {
  if (count(Notion::Violation))
    return "violation";
  if (!Findings.empty())
    return "potential";
  return Damage.empty() && GaveUp.empty() && !LacksRegions ? "nothing found"
                                                           : "undecided";
}

namespace {

class TextWriter {
public:
  TextWriter(const Outcome &O, Words &W) : O(O), W(W) {}
  std::string text();
  std::string findings();

private:
  void violation(const Finding &F);
  void potential(const Finding &F);

  void header(const Finding &F);
  void code(const NumberedEvent &E);
  void event(const char *When, const NumberedEvent &E);
  void step(const Relation &R, size_t Number, const Relation *Before);
  void programOrder(const Relation &R, size_t StepBefore);
  void cycle(const Finding &F);
  void contradiction(const Finding &F, size_t Steps);
  void regions(const Finding &F);
  void threads(const Finding &F);
  void notes(const Finding &F);
  std::string threadsBeside(const Finding &F, uint32_t Thread) const;
  void verdict();

  const Outcome &O;
  Words &W;
  std::ostringstream Out;
};

} // namespace

void TextWriter::code(const NumberedEvent &E) {
  for (const std::string &Line : W.code(E))
    Out << "      " << Line << '\n';
}

void TextWriter::event(const char *When, const NumberedEvent &E) {
  Out << "    " << When << ": " << W.eventInPlace(E) << '\n';
  code(E);
}

void TextWriter::header(const Finding &F) {
  Out << O.Trace << ": ";
  if (F.Kind == "atomicity-violation" && F.What == Notion::Violation)
    Out << "atomicity violation" << (F.Shape.empty() ? "" : ": ") << F.Shape
        << " (" << O.Seen << ", not conflict-serializable)";
  else if (F.What == Notion::Violation)
    Out << F.Kind << " (" << O.Seen << ')';
  else
    Out << F.Kind
        << " (potential: another schedule of these events may be bad)";
  if (F.Closing)
    Out << " at event " << F.Closing;
  Out << '\n';
}

std::string TextWriter::threadsBeside(const Finding &F, uint32_t Thread) const {
  std::vector<uint32_t> Others;
  for (const Relation &R : F.Relations)
    if (R.Later.What.Thread != Thread &&
        std::find(Others.begin(), Others.end(), R.Later.What.Thread) ==
            Others.end())
      Others.push_back(R.Later.What.Thread);
  std::vector<std::string> Names;
  Names.reserve(Others.size());
  for (const uint32_t Other : Others)
    Names.push_back(W.thread(Other));
  return atsan::finding::listed(Names);
}

void TextWriter::step(const Relation &R, size_t Number,
                      const Relation *Before) {
  Out << "  Step " << Number << ": " << W.unit(R.First, true)
      << " must come before " << W.unit(R.Later, true) << " (" << R.Why
      << ").\n";
  if (Before && Before->Later.Number == R.First.Number && R.First.Number)
    Out << "    First: " << W.eventInPlace(R.First) << " (shown in step "
        << Number - 1 << ")\n";
  else
    event("First", R.First);
  event("Later", R.Later);
  Out << '\n';
}

void TextWriter::programOrder(const Relation &R, size_t StepBefore) {
  Out << "  Program order: " << W.thread(R.Later.What.Thread);
  if (R.Later.Number)
    Out << " ran " << W.unit(R.Later, false);
  else
    Out << " ended";
  Out << " (step " << StepBefore + 1 << ") after "
      << (R.First.Number ? W.unit(R.First, false) : std::string("it began"))
      << " (step " << StepBefore << ").\n\n";
}

void TextWriter::cycle(const Finding &F) {
  Out << "\nWhat happened, step by step around the cycle. Two accesses to the "
         "same memory, one of\nthem a write, settle which of their regions "
         "comes first";
  if (std::any_of(F.Relations.begin(), F.Relations.end(),
                  [](const Relation &R) { return R.Why == reason::Lock; }))
    Out << ", and so do the\nrelease of a lock and its next acquire "
           "(--lock-edges)";
  Out << ":\n\n";
  size_t Step = 0;
  const Relation *Before = nullptr;
  for (const Relation &R : F.Relations) {
    if (R.Why == reason::ProgramOrder) {
      programOrder(R, Step);
      continue;
    }
    step(R, ++Step, Before);
    Before = &R;
  }
  if (!F.Relations.empty())
    contradiction(F, Step);
}

void TextWriter::contradiction(const Finding &F, size_t Steps) {
  Out << "  Contradiction: " << W.unit(F.Relations.back().Later, true)
      << " would have to come before ";
  if (F.Relations.size() == 2)
    Out << W.unit(F.Relations[0].Later, true) << " (step 1) and after it "
        << "(step 2).\n\n";
  else
    Out << "itself (steps 1 to " << Steps << ").\n\n";
}

void TextWriter::regions(const Finding &F) {
  for (const Transaction &T : F.Blamed) {
    if (!T.Begin.Number)
      continue;
    Out << "  " << capitalized(W.region(T.Begin)) << " of "
        << W.thread(T.Thread) << " began (event " << T.Begin.Number << "):\n";
    code(T.Begin);
    Out << '\n';
  }
}

// Says where the threads come from: their numbers differ from run to run.
void TextWriter::threads(const Finding &F) {
  std::vector<uint32_t> Seen;
  for (const Relation &R : F.Relations)
    for (const NumberedEvent *E : {&R.First, &R.Later}) {
      const uint32_t Thread = E->What.Thread;
      const ThreadOrigin From = W.Explained.origin(Thread);
      if (!From.Start.Number ||
          std::find(Seen.begin(), Seen.end(), Thread) != Seen.end())
        continue;
      Seen.push_back(Thread);
      Out << "  " << W.thread(Thread) << " is thread " << From.Which << " that "
          << W.thread(From.Start.What.Thread) << " started (event "
          << From.Start.Number << "):\n";
      code(From.Start);
      Out << '\n';
    }
}

void TextWriter::notes(const Finding &F) {
  for (const std::string &Note : F.Notes)
    Out << "  " << Note << '\n';
  if (!F.Notes.empty())
    Out << '\n';
}

void TextWriter::violation(const Finding &F) {
  if (F.Blamed.size() == 1) {
    Out << capitalized(W.region(F.Blamed[0].Begin)) << " of "
        << W.thread(F.Blamed[0].Thread)
        << " is not atomic: " << threadsBeside(F, F.Blamed[0].Thread)
        << " came in between,\nso";
  } else {
    Out << "These regions cannot all be atomic:\n";
    for (const Transaction &T : F.Blamed)
      Out << "  " << W.region(T.Begin) << " of " << W.thread(T.Thread) << '\n';
    Out << "At least one of them was interrupted, so";
  }
  Out << " that no order of whole regions, one after the other, explains this "
         "run.\n";
  cycle(F);
  regions(F);
  threads(F);
  notes(F);
}

void TextWriter::potential(const Finding &F) {
  Out << F.Message << ".\n\n";
  for (const Relation &R : F.Relations) {
    Out << "  " << capitalized(R.Why) << ":\n";
    event("First", R.First);
    if (R.Later.Number && R.Later.Number != R.First.Number)
      event("Later", R.Later);
    Out << '\n';
  }
  regions(F);
  threads(F);
  notes(F);
}

void TextWriter::verdict() {
  Out << "Verdict: " << O.verdict();
  const Finding *First = O.Findings.empty() ? nullptr : &O.Findings.front();
  if (First && First->Closing)
    Out << " at event " << First->Closing;
  Out << " (" << counted(O.Findings.size(), "finding");
  const size_t Potential = O.count(Notion::Potential);
  if (Potential && Potential != O.Findings.size())
    Out << ", " << Potential << " of them potential";
  Out << "; " << counted(O.Events, "event") << " read)\n";
}

std::string TextWriter::findings() {
  for (const Finding &F : O.Findings) {
    W.speakOf(F);
    header(F);
    // What an algorithm observes without a cycle is told as it is.
    if (F.What == Notion::Violation && !F.Blamed.empty())
      violation(F);
    else
      potential(F);
  }
  return Out.str();
}

std::string TextWriter::text() {
  Out << "Decided by " << O.Algorithm;
  if (!O.Locks.empty())
    Out << " --locks=" << O.Locks;
  if (O.HasLevel)
    Out << " --level=" << O.Given.Level;
  Out << ": " << O.Decided << "\n\n";
  findings();
  verdict();
  for (const auto &S : O.Statistics)
    Out << "  " << S.first << ": " << S.second << '\n';
  return Out.str();
}

std::string atsan::check::writeText(const Outcome &O, Words &W) {
  return TextWriter(O, W).text();
}

std::string atsan::check::writeFindings(const Outcome &O, Words &W) {
  return TextWriter(O, W).findings();
}
