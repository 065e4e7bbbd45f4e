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

/// Tells which write has a value: open addressing, 4 bytes for each place,
/// since the values are those of the operations.
class WriteTable {
public:
  explicit WriteTable(size_t Most) {
    size_t Size = 16;
    while (Size * 3 < Most * 4)
      Size *= 2;
    Places.assign(Size, Free);
  }
  static constexpr uint32_t Free = ~uint32_t(0);

  /// Where the number of the write of the value stands, or is to be put.
  /// ValueOf(I) is the value of the write with number I.
  template <class Function> uint32_t &find(Value V, Function ValueOf) {
    const size_t Last = Places.size() - 1;
    size_t I = mix(static_cast<uint64_t>(V)) & Last;
    while (Places[I] != Free && ValueOf(Places[I]) != V)
      I = (I + 1) & Last;
    return Places[I];
  }

private:
  std::vector<uint32_t> Places;
};

/// A zone has the number of the operation that writes its value; that of the
/// initial value comes behind all of them. Where a stamp would be kept, it is
/// the number of an operation that has it, plus 1: half as much memory, and in
/// the same order, since operations are sorted by their calls.
class Zones {
public:
  Zones(const Register &R, const Request &Wanted)
      : R(R), WantsOrder(Wanted.WantsOrder), ZoneOf(writes(R) + 1),
        All(R.Operations.size() + 1) {
    FirstReturns.reserve(writes(R) + 1);
    Calls.reserve(writes(R) + 1);
    // The initial value was written before everything else.
    zoneOf(R.Initial) = initial();
    setFirstReturn(All[initial()], 0);
  }

  uint32_t call(uint32_t I) {
    const Operation &O = R.Operations[I];
    if (O.What == Kind::Read)
      return 0;
    uint32_t &New = zoneOf(O.Argument);
    if (New != WriteTable::Free) {
      IsUnique = false;
      return StopSweep;
    }
    New = I;
    All[I].Hi = I + 1;
    return 0;
  }

  bool ret(uint32_t I, uint32_t) {
    const Operation &O = R.Operations[I];
    Offending = I;
    const uint32_t Number = O.What == Kind::Read ? zoneOf(O.Argument) : I;
    if (Number == WriteTable::Free)
      return false; // Nobody has begun to write it.
    Zone &Z = All[Number];
    const bool IsLaterCall = O.Call > callOf(Z.Hi);
    if (IsLaterCall)
      Z.Hi = I + 1;
    if (Z.Rank == NoRank) {
      // Nothing that has returned was called later than now.
      setFirstReturn(Z, I + 1);
      return true;
    }
    if (!IsLaterCall)
      return true;
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
    uint32_t Hi = 0;        ///< The last call.
    uint32_t Rank = NoRank; ///< By the first return; NoRank before that.
  };

  static size_t writes(const Register &R) {
    return std::count_if(
        R.Operations.begin(), R.Operations.end(),
        [](const Operation &O) { return O.What == Kind::Write; });
  }
  uint32_t initial() const {
    return static_cast<uint32_t>(R.Operations.size());
  }
  uint32_t &zoneOf(Value V) {
    return ZoneOf.find(V, [this](uint32_t I) {
      return I == initial() ? R.Initial : R.Operations[I].Argument;
    });
  }
  Stamp callOf(uint32_t Plus1) const {
    return Plus1 ? R.Operations[Plus1 - 1].Call : -1;
  }
  Stamp returnOf(uint32_t Plus1) const {
    return Plus1 ? R.Operations[Plus1 - 1].Return : -1;
  }

  void setFirstReturn(Zone &Z, uint32_t Now) {
    Z.Rank = static_cast<uint32_t>(FirstReturns.size());
    FirstReturns.push_back(Now);
    Calls.append(Z.Hi);
  }

  bool contradicts(const Zone &Z) const {
    const auto Earlier = std::lower_bound(
        FirstReturns.begin(), FirstReturns.end(), callOf(Z.Hi),
        [this](uint32_t A, Stamp B) { return returnOf(A) < B; });
    const size_t Before = Earlier - FirstReturns.begin();
    return callOf(Calls.largestExcept(Z.Rank, Before)) >
           returnOf(FirstReturns[Z.Rank]);
  }

  /// Where the operations of a value stand: a zone without inside (backward)
  /// before a forward one that begins where it begins.
  std::pair<Stamp, bool> place(uint32_t Number) const {
    const Zone &Z = All[Number];
    const Stamp Lo = returnOf(FirstReturns[Z.Rank]), Hi = callOf(Z.Hi);
    return {std::min(Lo, Hi), Lo < Hi};
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
      const uint32_t Number = zoneOf(O.Argument);
      if (Number != WriteTable::Free && All[Number].Rank != NoRank)
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
  WriteTable ZoneOf;
  std::vector<Zone> All;
  std::vector<uint32_t> FirstReturns; ///< By rank.
  LargestPrefix Calls;                ///< The last calls, by rank.
  uint32_t Offending = 0;
};

} // namespace

std::optional<Decision> atsan::registers::decideZones(const Register &R,
                                                      const Request &Wanted) {
  return Zones(R, Wanted).decide();
}
