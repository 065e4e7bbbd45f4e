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

#include "lib/net/Dot.h"
#include "lib/net/Formats.h"
#include "lib/net/Search.h"
#include "tools/atsan/model.h"
#include <iostream>
#include <map>

namespace atsan::tool {

using namespace atsan::net;

namespace {

using Engine = Answer (*)(const net::Net &, Budget &);

const std::map<std::string, Engine> &engines() {
  static const std::map<std::string, Engine> All = {
      {"backward", searchBackward},
      {"explicit", searchExplicit},
      {"forward", searchForward}};
  return All;
}

void print(const net::Net &N, const Run &R) {
  std::cout << "  begin with " << toText(N, R.Start) << '\n';
  uint64_t Step = 1;
  for (const Segment &S : R.Segments) {
    if (S.Times > 1)
      std::cout << "  " << S.Times << " times:\n";
    for (const TransitionId Id : S.Word)
      std::cout << (S.Times > 1 ? "    " : "  ") << Step++ << ". "
                << N.Transitions[Id].Name << ": "
                << toText(N, N.Transitions[Id].Pre) << " -> "
                << toText(N, N.Transitions[Id].Post) << '\n';
    Step += S.Word.size() * (S.Times - 1);
  }
  std::cout << "  covers " << toText(N, N.Targets[R.Target]) << '\n';
}

int tell(const net::Net &N, const Answer &A) {
  switch (A.What) {
  case Verdict::Coverable:
    std::cout << "coverable, by a run of " << A.Witness.steps()
              << (A.Witness.steps() == 1 ? " step:\n" : " steps:\n");
    print(N, A.Witness);
    return ExitFinding;
  case Verdict::NotCoverable:
    std::cout << "not coverable: " << A.Why << '\n';
    return ExitNothingFound;
  case Verdict::GaveUp:
    std::cout << "gave up: " << A.Why << '\n';
    return ExitBadInput;
  case Verdict::NotApplicable:
    break;
  }
  throw InputError("the engine cannot decide this net: " + A.Why +
                   "; leave --engine out");
}

/// Runs the engines, and draws what they worked on.
Answer decideAndDraw(const net::Net &N, const ModelCommand &C) {
  Budget B(C.MaxSeconds, C.MaxMemoryBytes);
  if (C.Engine == "unfolding") {
    Prefix P;
    const Answer A = unfold(N, B, P);
    if (!C.Dot.empty())
      writeModelFile(C.Dot, dotOfPrefix(N, P), C.Force);
    return A;
  }
  const Answer A =
      C.Engine.empty() ? decide(N, B) : engines().at(C.Engine)(N, B);
  if (!C.Dot.empty())
    writeModelFile(
        C.Dot, dotOfNet(N, A.What == Verdict::Coverable ? &A.Witness : nullptr),
        C.Force);
  return A;
}

} // namespace

int runCoverable(const ModelCommand &C) {
  try {
    net::Net N = readByName(readModelText(C.File), C.File);
    for (const std::string &Target : C.Targets)
      addTarget(N, Target);
    if (N.Targets.empty())
      throw InputError(C.File +
                       ": the format has no targets; give one, such as "
                       "--target='" +
                       (N.Places.empty() ? "p1" : N.Places[0]) + ">=1'");
    if (!C.Net.empty())
      writeModelFile(C.Net, writeByName(N, C.Net), C.Force);
    return tell(N, decideAndDraw(N, C));
  } catch (const NetError &Error) {
    throw InputError(Error.what());
  }
}

} // namespace atsan::tool
