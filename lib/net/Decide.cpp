//===- Decide.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The race of the engines.
//
//===----------------------------------------------------------------------===//

#include "lib/net/Relevant.h"
#include "lib/net/Unfolding.h"
#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

namespace atsan::net {

namespace {

/// A longer run is not fired step by step.
constexpr uint64_t LongestReplay = 100'000'000;

bool isConclusive(const Answer &A) {
  return A.What == Verdict::Coverable || A.What == Verdict::NotCoverable;
}

/// The first conclusive answer, or else what the others said.
class Race {
public:
  explicit Race(Budget &B) : B(B) {}

  void tell(const Answer &A) {
    const std::lock_guard<std::mutex> Guard(Lock);
    if (isConclusive(Best) || A.What == Verdict::NotApplicable)
      return;
    Best = A;
    if (isConclusive(A))
      B.stop();
  }

  Answer Best;

private:
  Budget &B;
  std::mutex Lock;
};

void enter(Race &R, Answer (*Decide)(const Net &, Budget &), const Net &N,
           Budget &B) {
  try {
    R.tell(Decide(N, B));
  } catch (const std::bad_alloc &) {
    Answer A;
    A.Why = "the system has no more memory";
    R.tell(A);
  }
}

/// Translates a run of the part into one of the whole net.
Run inNet(const Net &N, const RelevantPart &Part, Run R) {
  for (Segment &S : R.Segments)
    for (TransitionId &T : S.Word)
      T = Part.Transitions[T];
  R.Target = Part.Targets[R.Target];
  Marking Start;
  for (const Arc &A : R.Start)
    Start.push_back({Part.Places[A.Place], A.Count});
  for (const Arc &A : N.Initial)
    if (!tokensIn(Start, A.Place)) {
      Start.push_back(A);
      std::sort(Start.begin(), Start.end());
    }
  R.Start = Start;
  return R;
}

} // namespace

Answer decide(const Net &N, Budget &B) {
  const RelevantPart Relevant = relevantPart(N);
  const Net &Part = Relevant.Part;
  Answer A;
  if (Part.Targets.empty()) {
    A.What = Verdict::NotCoverable;
    A.Why = "a place of the target never gets a token";
    return A;
  }
  Race R(B);
  std::array<std::thread, 2> Others;
  // Threads cost more than small nets do.
  {
    Budget Short(0.002, 0);
    enter(R, searchForward, Part, Short);
  }
  if (!isConclusive(R.Best)) {
    Others[0] = std::thread([&] { enter(R, searchForward, Part, B); });
    Others[1] = std::thread([&] { enter(R, searchUnfolding, Part, B); });
    enter(R, searchBackward, Part, B);
    for (std::thread &T : Others)
      T.join();
  }
  A = std::move(R.Best);
  if (A.What != Verdict::Coverable)
    return A;
  A.Witness = inNet(N, Relevant, std::move(A.Witness));
  if (A.Witness.steps() > LongestReplay) {
    A.What = Verdict::GaveUp;
    A.Why = "a target is coverable, but by no run that can be replayed";
  } else if (const std::string Why = replay(N, A.Witness); !Why.empty()) {
    throw std::logic_error("an engine is wrong: " + Why);
  }
  return A;
}

Answer search(const Net &N, Engine E, Budget &B, Prefix &P) {
  switch (E) {
  case Engine::Unfolding:
    return unfold(N, B, P);
  case Engine::Explicit:
    return searchExplicit(N, B);
  case Engine::Forward:
    return searchForward(N, B);
  case Engine::Backward:
    return searchBackward(N, B);
  case Engine::All:
    break;
  }
  return decide(N, B);
}

} // namespace atsan::net
