//===- model_coverable.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan model --coverable`: can a Petri net reach a marking that covers a
// target?
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Json.h"
#include "lib/finding/Words.h"
#include "lib/net/Formats.h"
#include "tools/atsan/model.h"
#include "tools/atsan/model_json.h"
#include "tools/atsan/model_page.h"
#include "tools/atsan/output_file.h"
#include "tools/atsan/search_progress.h"
#include <iostream>
#include <sstream>

namespace atsan::tool {

using namespace atsan::net;

namespace {

void print(std::ostream &Out, const net::Net &N, const Run &R) {
  Out << "  begin with " << toText(N, R.Start) << '\n';
  uint64_t Step = 1;
  for (const Segment &S : R.Segments) {
    if (S.Times > 1)
      Out << "  " << S.Times << " times:\n";
    for (const TransitionId Id : S.Word)
      Out << (S.Times > 1 ? "    " : "  ") << Step++ << ". "
          << N.Transitions[Id].Name << ": " << toText(N, N.Transitions[Id].Pre)
          << " -> " << toText(N, N.Transitions[Id].Post) << '\n';
    Step += S.Word.size() * (S.Times - 1);
  }
  Out << "  covers " << toText(N, N.Targets[R.Target]) << '\n';
}

int exitCode(const Answer &A) {
  switch (A.What) {
  case Verdict::Coverable:
    return ExitFinding;
  case Verdict::NotCoverable:
    return ExitNothingFound;
  case Verdict::GaveUp:
    return ExitBadInput;
  case Verdict::NotApplicable:
    break;
  }
  throw InputError("the engine cannot decide this net: " + A.Why +
                   "; leave --engine out");
}

void tell(std::ostream &Out, const net::Net &N, const Answer &A) {
  switch (A.What) {
  case Verdict::Coverable:
    Out << "coverable, by a run of "
        << finding::counted(A.Witness.steps(), "step") << ":\n";
    print(Out, N, A.Witness);
    return;
  case Verdict::NotCoverable:
    Out << "not coverable: " << A.Why << '\n';
    return;
  case Verdict::GaveUp:
  case Verdict::NotApplicable:
    Out << "gave up: " << A.Why << '\n';
    return;
  }
}

nlohmann::ordered_json runJson(const net::Net &N, const Run &R) {
  nlohmann::ordered_json J;
  J["begin"] = toText(N, R.Start);
  J["steps"] = R.steps();
  J["segments"] = nlohmann::ordered_json::array();
  for (const Segment &S : R.Segments) {
    nlohmann::ordered_json Part;
    Part["times"] = S.Times;
    Part["transitions"] = nlohmann::ordered_json::array();
    for (const TransitionId Id : S.Word)
      Part["transitions"].push_back(N.Transitions[Id].Name);
    J["segments"].push_back(std::move(Part));
  }
  J["covers"] = toText(N, N.Targets[R.Target]);
  return J;
}

void writeJson(const net::Net &N, const Answer &A, const std::string &File) {
  nlohmann::ordered_json J = modelJson(File, "coverable");
  J["verdict"] = A.What == Verdict::Coverable      ? "coverable"
                 : A.What == Verdict::NotCoverable ? "not coverable"
                                                   : "undecided";
  if (A.What == Verdict::Coverable)
    J["run"] = runJson(N, A.Witness);
  else
    J["why"] = A.Why;
  std::cout << finding::toText(J);
}

/// What the engines say, and the picture of what they worked on.
struct Decided {
  Answer A;
  Picture Shown;
};

Decided decideAndShow(const net::Net &N, const ModelCommand &C) {
  const SearchProgress Shown;
  Budget B(C.MaxSeconds, C.MaxMemoryBytes);
  Prefix P;
  Answer A = search(N, C.Engine, B, P);
  const Run *Witness = A.What == Verdict::Coverable ? &A.Witness : nullptr;
  Picture Of = pictureOf(N, C.Engine, P, Witness);
  return {std::move(A), std::move(Of)};
}

} // namespace

int runCoverable(const ModelCommand &C) {
  net::Net N = readByName(readModelText(C.File), C.File);
  for (const std::string &Target : C.Targets)
    addTarget(N, Target);
  if (N.Targets.empty())
    throw InputError(C.File +
                     ": the format has no targets; give one, such as "
                     "--target='" +
                     (N.Places.empty() ? "p1" : N.Places[0]) + ">=1'");
  if (!C.Net.empty())
    writeWhole(C.Net, writeByName(N, C.Net), C.Force);
  const Decided D = decideAndShow(N, C);
  const Answer &A = D.A;
  const int Code = exitCode(A);
  if (!C.Dot.empty())
    writeWhole(C.Dot, D.Shown.Dot, C.Force);
  if (!C.Html.empty()) {
    std::ostringstream Text;
    tell(Text, N, A);
    writeModelPage(C.Html, {"Coverability of " + C.File, Text.str(), {D.Shown}},
                   C.Force);
  }
  if (C.Json)
    writeJson(N, A, C.File);
  else
    tell(std::cout, N, A);
  return Code;
}

} // namespace atsan::tool
