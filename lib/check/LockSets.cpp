//===- LockSets.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/LockSets.h"

using namespace atsan::check;
using namespace __atsan;
using atsan::trace::Event;

static CommutativityOptions factOptions(const Options &O) {
  CommutativityOptions C = commutativityOptions(O);
  C.with_eraser = true;
  C.keep_ids = true;
  return C;
}

atsan::check::LockSets::LockSets(const Options &O)
    : Given(O), IsEraser(!O.Improved.MultiLockSets), Limit(O),
      Facts(factOptions(O), locationOf, nullptr) {}

bool atsan::check::LockSets::consume(trace::EventSpan Events) {
  LockStep Effect;
  for (const Event &E : Events) {
    ++Count;
    if (isAccess(E.Kind)) {
      access(E);
    } else if (isOfLock(E.Kind)) {
      feedLock(Facts, E, Count, &Effect);
    } else {
      feedMemory(Facts, E);
      feedOrder(Facts, E);
    }
    if (Limit.reached() || (!Given.All && !Found.empty()))
      return false;
  }
  return true;
}

void atsan::check::LockSets::access(const Event &E) {
  if (E.Size > MaxAccessBytes)
    return Limit.giveUp(tooManyBytes(Count, E));
  const u8 Wanted = IsEraser ? kEraserDataRace : kDataRace;
  Facts.Access(E.Thread, E.Address, E.Size, writes(E.Kind), E.IsAtomic,
               {Count, E.Location}, [&](uptr, const Variable *V) {
                 if (V->flags & Wanted && V->race)
                   report(*V);
               });
}

void atsan::check::LockSets::report(const Variable &V) {
  if (V.id < Reported.size() && Reported[V.id])
    return;
  if (V.id >= Reported.size())
    Reported.resize(V.id + 1);
  Reported[V.id] = true;
  ++Variables;
  const bool EraserToo = V.flags & kEraserDataRace;
  Both += EraserToo;
  const RaceEvidence &Race = *V.race;
  const bool Known = Race.first.location && Race.later.location;
  if (!Sites
           .emplace(Race.first.location, Race.later.location,
                    Known ? 0 : Race.addr)
           .second)
    return;
  if (!Given.All && !Found.empty())
    return;
  Finding F;
  F.What = Notion::Potential;
  F.Kind = "data-race";
  F.Closing = Count;
  F.Message = "No lock keeps these accesses to the same memory apart";
  const FactWords W(Given, Facts);
  F.Relations.push_back(W.race(Race));
  if (IsEraser)
    F.Notes.push_back("Reported by Eraser's locksets");
  else
    F.Notes.push_back(EraserToo
                          ? "Reported by the multilocksets, and by Eraser's "
                            "lockset on the same accesses"
                          : "Reported by the multilocksets only: Eraser's "
                            "lockset of this variable is not refined before a "
                            "second thread accesses it");
  const std::string Doubt = W.raceNote(Race);
  if (!Doubt.empty())
    F.Notes.push_back(Doubt);
  Found.push_back(std::move(F));
}

std::string atsan::check::LockSets::notion() const {
  if (IsEraser)
    return "potential data races by Eraser's locksets, without multilocksets: "
           "a race with the first thread's accesses is not reported";
  return "potential data races by multilocksets (TSE'06 section 5.4): if "
         "nothing is found, conflicting accesses of this run that start, join "
         "and barriers do not order had a lock in common";
}

std::vector<std::pair<std::string, uint64_t>>
atsan::check::LockSets::statistics() const {
  return {{"variables with a race", Variables},
          {"of them reported by Eraser's lockset, too", Both},
          {"accesses to escaped memory", Facts.NumEscaped()},
          {"accesses to memory that has not escaped", Facts.NumUnescaped()}};
}
