//===- Relevant.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Relevant.h"
#include <algorithm>

namespace atsan::net {

namespace {

/// Marks the places that can get a token if tokens never ran out, and the
/// transitions that can then fire.
void markLive(const Net &N, std::vector<bool> &Place,
              std::vector<bool> &Transition) {
  const auto Takers = takersByPlace(N);
  std::vector<size_t> Missing;
  std::vector<PlaceId> Work;
  const auto Reach = [&](PlaceId P) {
    if (!Place[P]) {
      Place[P] = true;
      Work.push_back(P);
    }
  };
  const auto Fire = [&](TransitionId Id) {
    Transition[Id] = true;
    for (const Arc &A : N.Transitions[Id].Post)
      Reach(A.Place);
  };
  for (const Arc &A : initialWithUnbounded(N))
    Reach(A.Place);
  for (TransitionId Id = 0; Id < N.Transitions.size(); ++Id) {
    Missing.push_back(N.Transitions[Id].Pre.size());
    if (!Missing.back())
      Fire(Id);
  }
  while (!Work.empty()) {
    const PlaceId P = Work.back();
    Work.pop_back();
    for (const TransitionId Id : Takers[P])
      if (!--Missing[Id])
        Fire(Id);
  }
}

/// Marks what the targets need, of the live transitions.
void markNeeded(const Net &N, const std::vector<Marking> &Targets,
                const std::vector<bool> &Live, std::vector<bool> &Place,
                std::vector<bool> &Transition) {
  const auto Makers = makersByPlace(N);
  std::vector<PlaceId> Work;
  const auto Need = [&](const Marking &M) {
    for (const Arc &A : M)
      if (!Place[A.Place]) {
        Place[A.Place] = true;
        Work.push_back(A.Place);
      }
  };
  for (const Marking &Target : Targets)
    Need(Target);
  while (!Work.empty()) {
    const PlaceId P = Work.back();
    Work.pop_back();
    for (const TransitionId Id : Makers[P])
      if (Live[Id] && !Transition[Id]) {
        Transition[Id] = true;
        Need(N.Transitions[Id].Pre);
      }
  }
}

} // namespace

RelevantPart relevantPart(const Net &N) {
  std::vector<bool> LivePlace(N.Places.size()), Live(N.Transitions.size());
  markLive(N, LivePlace, Live);
  RelevantPart R;
  std::vector<Marking> Targets;
  for (size_t T = 0; T < N.Targets.size(); ++T)
    if (std::all_of(N.Targets[T].begin(), N.Targets[T].end(),
                    [&](const Arc &A) { return LivePlace[A.Place]; })) {
      R.Targets.push_back(T);
      Targets.push_back(N.Targets[T]);
    }
  std::vector<bool> Place(N.Places.size()), Needed(N.Transitions.size());
  markNeeded(N, Targets, Live, Place, Needed);

  std::vector<PlaceId> New(N.Places.size());
  for (PlaceId P = 0; P < N.Places.size(); ++P)
    if (Place[P]) {
      New[P] = R.Places.size();
      R.Places.push_back(P);
      R.Part.Places.push_back(N.Places[P]);
    }
  const auto Keep = [&](const Marking &M) {
    Marking Kept;
    for (const Arc &A : M)
      if (Place[A.Place])
        Kept.push_back({New[A.Place], A.Count});
    return Kept;
  };
  for (TransitionId Id = 0; Id < N.Transitions.size(); ++Id)
    if (Needed[Id]) {
      const Transition &T = N.Transitions[Id];
      R.Transitions.push_back(Id);
      R.Part.Transitions.push_back({T.Name, Keep(T.Pre), Keep(T.Post)});
    }
  R.Part.Initial = Keep(N.Initial);
  for (const PlaceId P : N.OrMore)
    if (Place[P])
      R.Part.OrMore.push_back(New[P]);
  for (const Marking &Target : Targets)
    R.Part.Targets.push_back(Keep(Target));
  return R;
}

} // namespace atsan::net
