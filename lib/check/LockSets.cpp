//===- LockSets.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Potential data races by locksets: the multilockset algorithm of TSE'06
// section 5.4 (after escape and happens-before analysis), and Eraser's (Savage
// et al. 1997), which knows neither, to compare. The algorithms are the
// runtime's (lib/reduction/atsan_races.cpp).
//
// The multilocksets miss no pair of conflicting accesses in concurrent periods
// with no lock in common. They may report a variable without such a pair.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Commuting.h"
#include "lib/check/Factories.h"
#include "lib/check/Limits.h"
#include <set>
#include <tuple>

using namespace atsan::check;
using namespace __atsan;
using atsan::trace::Event;

namespace {

CommutativityOptions factOptions(const Options &O) {
  CommutativityOptions C = commutativityOptions(O);
  C.with_eraser = true;
  C.keep_ids = true;
  return C;
}

class LockSetRaces final : public Analysis {
public:
  explicit LockSetRaces(const Options &O)
      : Given(O), IsEraser(!O.Improved.MultiLockSets), Limit(O),
        Facts(factOptions(O), locationOf, nullptr) {}

  bool consume(atsan::trace::EventSpan Events) override {
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

  const std::vector<Finding> &findings() const override { return Found; }

  std::string notion() const override {
    if (IsEraser)
      return "potential data races by Eraser's locksets, without "
             "multilocksets: a race with the first thread's accesses is not "
             "reported";
    return "potential data races by multilocksets (TSE'06 section 5.4): if "
           "nothing is found, conflicting accesses of this run that start, "
           "join and barriers do not order had a lock in common";
  }

  std::string gaveUp() const override { return Limit.why(); }

  std::vector<std::pair<std::string, uint64_t>> statistics() const override {
    return {{"variables with a race", Variables},
            {"of them reported by Eraser's lockset, too", Both},
            {"accesses to escaped memory", Facts.NumEscaped()},
            {"accesses to memory that has not escaped", Facts.NumUnescaped()}};
  }

private:
  void access(const Event &E) {
    if (E.Size > MaxAccessBytes)
      return Limit.giveUp(tooManyBytes(Count, E));
    const u8 Wanted = IsEraser ? kEraserDataRace : kDataRace;
    Facts.Access(E.Thread, E.Address, E.Size, writes(E.Kind), E.IsAtomic,
                 {Count, E.Location}, [&](uptr, const Variable *V) {
                   if (V->flags & Wanted && V->race)
                     report(*V);
                 });
  }

  void report(const Variable &V) {
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
      F.Notes.push_back(
          EraserToo ? "Reported by the multilocksets, and by Eraser's "
                      "lockset on the same accesses"
                    : "Reported by the multilocksets only: Eraser's "
                      "lockset of this variable is not refined before a "
                      "second thread accesses it");
    const std::string Doubt = W.raceNote(Race);
    if (!Doubt.empty())
      F.Notes.push_back(Doubt);
    Found.push_back(std::move(F));
  }

  Options Given;
  bool IsEraser; ///< Without multilocksets.
  Limits Limit;
  Commutativity Facts;
  uint64_t Count = 0;
  uint64_t Variables = 0; // Variables that are raced on, as far as looked at.
  uint64_t Both = 0;
  std::vector<bool> Reported; // By id of the variable.
  // What was reported: places of both accesses, or, where they are not known,
  // the variable.
  std::set<std::tuple<uint32_t, uint32_t, uint64_t>> Sites;
  std::vector<Finding> Found;
};

} // namespace

std::unique_ptr<Analysis> atsan::check::makeLockSets(const Options &O) {
  return std::make_unique<LockSetRaces>(O);
}
