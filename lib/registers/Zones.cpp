//===- Zones.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All operations of one value, its write and its reads, stand together in a
// linearization. Let lo be the first return among them and hi the last call.
// The operations of A must come before those of B if A.lo < B.hi; so two values
// contradict each other if that holds both ways. The history is linearizable if
// no two values do, and no read returns before the write of its value is called
// (Gibbons and Korach, 1997, in their words: forward zones do not overlap, and
// no backward zone lies in a forward one). Here, this is decided at each return
// of what has returned so far, so that the first that is too much is found.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Algorithms.h"
#include "lib/registers/FlatMap.h"
#include "lib/registers/LargestPrefix.h"
#include "lib/registers/Sweep.h"
#include <tuple>

using namespace atsan::registers;

namespace {

class Zones {
public:
  Zones(const Register &R, const Request &Wanted)
      : R(R), WantsOrder(Wanted.WantsOrder) {
    // The initial value was written before everything else.
    ZoneOf.get(R.Initial) = 0;
    All.push_back({-1, NoRank});
    setFirstReturn(All[0], -1);
  }

  uint32_t call(uint32_t I) {
    const Operation &O = R.Operations[I];
    if (O.What == Kind::Read)
      return 0;
    if (ZoneOf.find(O.Argument)) {
      IsUnique = false;
      return StopSweep;
    }
    const auto New = static_cast<uint32_t>(All.size());
    ZoneOf.get(O.Argument) = New;
    All.push_back({O.Call, NoRank});
    return New;
  }

  bool ret(uint32_t I, uint32_t Number) {
    const Operation &O = R.Operations[I];
    Offending = I;
    if (O.What == Kind::Read) {
      const uint32_t *Found = ZoneOf.find(O.Argument);
      if (!Found)
        return false; // Nobody has begun to write it.
      Number = *Found;
    }
    Zone &Z = All[Number];
    if (Z.Rank == NoRank) {
      Z.Hi = std::max(Z.Hi, O.Call);
      // Nothing that has returned was called later than now.
      setFirstReturn(Z, O.Return);
      return true;
    }
    if (O.Call <= Z.Hi)
      return true;
    Z.Hi = O.Call;
    Calls.raise(Z.Rank, Z.Hi);
    return !contradicts(Z);
  }

  std::optional<Decision> decide() {
    Decision D;
    D.Algorithm = "zones";
    if (sweep(R.Operations, *this)) {
      if (WantsOrder)
        D.Order = order();
      return D;
    }
    if (!IsUnique)
      return std::nullopt;
    D.Is = Verdict::Violation;
    D.Offending = Offending;
    return D;
  }

private:
  static constexpr uint32_t NoRank = ~uint32_t(0);
  struct Zone {
    Stamp Hi;      ///< The last call.
    uint32_t Rank; ///< By the first return; NoRank before that.
  };

  void setFirstReturn(Zone &Z, Stamp Now) {
    Z.Rank = static_cast<uint32_t>(FirstReturns.size());
    FirstReturns.push_back(Now);
    Calls.append(Z.Hi);
  }

  bool contradicts(const Zone &Z) const {
    const size_t Before =
        std::lower_bound(FirstReturns.begin(), FirstReturns.end(), Z.Hi) -
        FirstReturns.begin();
    return Calls.largestExcept(Z.Rank, Before) > FirstReturns[Z.Rank];
  }

  /// Where the operations of a value stand: a zone without inside (backward)
  /// before a forward one that begins where it begins.
  std::pair<Stamp, bool> place(uint32_t ZoneNumber) const {
    const Zone &Z = All[ZoneNumber];
    const Stamp Lo = FirstReturns[Z.Rank];
    return {std::min(Lo, Z.Hi), Lo < Z.Hi};
  }

  std::vector<uint32_t> order() {
    struct Entry {
      std::pair<Stamp, bool> Place;
      uint32_t Zone;
      bool IsRead;
      uint32_t Index;
      bool operator<(const Entry &B) const {
        return std::tie(Place, Zone, IsRead, Index) <
               std::tie(B.Place, B.Zone, B.IsRead, B.Index);
      }
    };
    std::vector<Entry> Entries;
    for (uint32_t I = 0; I != R.Operations.size(); ++I) {
      const Operation &O = R.Operations[I];
      const uint32_t Number = *ZoneOf.find(O.Argument);
      if (All[Number].Rank != NoRank)
        Entries.push_back({place(Number), Number, O.What == Kind::Read, I});
    }
    std::sort(Entries.begin(), Entries.end());
    std::vector<uint32_t> Out;
    Out.reserve(Entries.size());
    for (const Entry &E : Entries)
      Out.push_back(E.Index);
    return Out;
  }

  const Register &R;
  bool WantsOrder, IsUnique = true;
  FlatMap<uint32_t> ZoneOf; ///< By value.
  std::vector<Zone> All;
  std::vector<Stamp> FirstReturns; ///< By rank.
  LargestPrefix Calls;             ///< The last calls, by rank.
  uint32_t Offending = 0;
};

} // namespace

std::optional<Decision> atsan::registers::decideZones(const Register &R,
                                                      const Request &Wanted) {
  return Zones(R, Wanted).decide();
}
