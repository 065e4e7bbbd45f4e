//===- Search.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Search.h"
#include "lib/base/ResidentMemory.h"
#include <algorithm>
#include <map>

namespace atsan::net {

uint64_t Run::steps() const {
  uint64_t Steps = 0;
  for (const Segment &S : Segments)
    Steps += S.Word.size() * S.Times;
  return Steps;
}

bool Budget::isSpent() {
  if (Stopped || Spent)
    return true;
  if (Seconds > 0 && secondsLeft() <= 0) {
    Spent = Time;
  } else if (Bytes) {
    // The clock costs little; to ask for the memory is a system call or more.
    const auto Now = Clock::now().time_since_epoch().count();
    constexpr int64_t Pause = 2'000'000; // ns
    if (Now - LastLook.load() < Pause)
      return false;
    LastLook = Now;
    if (residentBytes() > Bytes)
      Spent = Memory;
  }
  return Spent;
}

void Budget::stop() {
  const std::lock_guard<std::mutex> Guard(Lock);
  Stopped = true;
  if (Interrupt)
    Interrupt();
}

void Budget::onStop(std::function<void()> Call) {
  const std::lock_guard<std::mutex> Guard(Lock);
  Interrupt = std::move(Call);
  if (Stopped && Interrupt)
    Interrupt();
}

double Budget::secondsLeft() const {
  const std::chrono::duration<double> Passed = Clock::now() - Begin;
  return Seconds > 0 ? std::max(0.0, Seconds - Passed.count()) : 1e9;
}

std::string Budget::why() const {
  char Text[96];
  if (Spent == Time)
    std::snprintf(Text, sizeof(Text), "%g s are over (--max-seconds)", Seconds);
  else if (Spent == Memory)
    std::snprintf(Text, sizeof(Text), "%llu MiB are used (--max-memory)",
                  static_cast<unsigned long long>(Bytes >> 20));
  else
    std::snprintf(Text, sizeof(Text), "another engine was first");
  return Text;
}

std::string replay(const Net &N, const Run &R) {
  std::map<PlaceId, uint64_t> Now, Begin;
  for (const Arc &A : N.Initial)
    Begin[A.Place] += A.Count;
  for (const Arc &A : R.Start)
    Now[A.Place] += A.Count;
  for (PlaceId P = 0; P < N.Places.size(); ++P) {
    const bool More = std::binary_search(N.OrMore.begin(), N.OrMore.end(), P);
    const uint64_t Has = Now.count(P) ? Now[P] : 0;
    const uint64_t Should = Begin.count(P) ? Begin[P] : 0;
    if (More ? Has < Should : Has != Should)
      return "the run begins with " + std::to_string(Has) + " tokens in '" +
             N.Places[P] + "', the net with " + std::to_string(Should);
  }
  uint64_t Step = 0;
  for (const Segment &S : R.Segments)
    for (uint64_t Time = 0; Time < S.Times; ++Time)
      for (const TransitionId Id : S.Word) {
        ++Step;
        const Transition &T = N.Transitions.at(Id);
        for (const Arc &A : T.Pre) {
          if (Now[A.Place] < A.Count)
            return "step " + std::to_string(Step) + ", '" + T.Name +
                   "', is not enabled: '" + N.Places[A.Place] +
                   "' lacks tokens";
          Now[A.Place] -= A.Count;
        }
        for (const Arc &A : T.Post)
          Now[A.Place] += A.Count;
      }
  if (R.Target >= N.Targets.size())
    return "there is no such target";
  for (const Arc &A : N.Targets[R.Target])
    if (Now[A.Place] < A.Count)
      return "the end lacks tokens in '" + N.Places[A.Place] + "'";
  return "";
}

} // namespace atsan::net
