//===- Probes.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/Probes.h"
#include "lib/check/Violations.h"
#include "lib/check/Witness.h"
#include <array>
#include <map>
#include <set>

using namespace atsan;
using namespace atsan::predict;
using atsan::trace::Event;
using atsan::trace::EventKind;
using check::NumberedEvent;

namespace {

/// A region has looked, then written; a read of another region has seen that.
struct Probe {
  NumberedEvent Look, Write, Read;
};

class Probes {
public:
  explicit Probes(size_t Most) : Most(Most), Parts(check::RegionSplits()) {}

  void take(uint64_t Number, const Event &E) {
    Parts.take(E);
    if (E.Kind == EventKind::Birth)
      Written.erase(Written.lower_bound(E.Address),
                    Written.lower_bound(E.Address + E.Size));
    if (!trace::isAccess(E.Kind))
      return;
    const uint64_t Region =
        Parts.inRegion(E.Thread) ? Parts.transaction(E.Thread) : 0;
    if (!Region) {
      if (trace::writes(E.Kind))
        Written.erase(E.Address);
      return;
    }
    Thread &T = Threads[E.Thread];
    if (T.Region != Region)
      T = {Region, {}};
    access(T, {Number, E});
  }

  const std::vector<Probe> &all() const { return All; }

private:
  /// What a region did with a variable: where it looked first, and wrote first.
  struct Use {
    NumberedEvent Look, Write;
  };
  struct Thread {
    uint64_t Region = 0; ///< The event with which it begins.
    std::unordered_map<uint64_t, Use> Uses;
  };

  void access(Thread &T, const NumberedEvent &E) {
    const auto [It, IsFirst] = T.Uses.try_emplace(E.What.Address);
    if (IsFirst && trace::reads(E.What.Kind))
      read(E);
    Use &U = It->second;
    if (IsFirst && !trace::writes(E.What.Kind))
      U.Look = E;
    if (!trace::writes(E.What.Kind))
      return;
    if (!U.Write.Number)
      U.Write = E;
    Written[E.What.Address] = U;
  }

  void read(const NumberedEvent &E) {
    const auto By = Written.find(E.What.Address);
    if (By == Written.end() || All.size() == Most)
      return;
    const Use &U = By->second;
    if (!U.Look.Number || U.Look.What.Thread == E.What.Thread)
      return;
    if (Places
            .insert(
                {U.Look.What.Location, U.Write.What.Location, E.What.Location})
            .second)
      All.push_back({U.Look, U.Write, E});
  }

  const size_t Most;
  check::Transactions Parts;
  std::unordered_map<uint32_t, Thread> Threads;
  /// By address, what the region with the last write did.
  std::map<uint64_t, Use> Written;
  std::set<std::array<uint32_t, 3>> Places;
  std::vector<Probe> All;
};

} // namespace

std::vector<check::Finding> atsan::predict::findProbes(const StepLog &Log,
                                                       size_t Most) {
  Probes Search(Most);
  check::Witness Schedules;
  uint64_t Number = 0;
  for (const Event &E : Log.events()) {
    Search.take(++Number, E);
    Schedules.take(E);
  }
  std::vector<check::Finding> Found;
  for (const Probe &P : Search.all()) {
    check::Finding F;
    const uint32_t Looks = P.Look.What.Thread, Reads = P.Read.What.Thread;
    const std::vector<check::Witness::Visit> Visits = {{Looks, P.Write, P.Look},
                                                       {Reads, P.Read, P.Read}};
    for (const bool OneByOne : {true, false})
      if (F.Schedule.empty() && Schedules.find(Visits, OneByOne, F.Schedule) !=
                                    check::Witness::Answer::Found)
        F.Schedule.clear();
    if (F.Schedule.empty())
      continue;
    F.Order = {P.Look, P.Read, P.Write};
    F.Relations = {{P.Look, P.Read, check::reason::Conflict},
                   {P.Read, P.Write, check::reason::Conflict}};
    F.Blamed.push_back({Looks, {}});
    Found.push_back(std::move(F));
  }
  return Found;
}
