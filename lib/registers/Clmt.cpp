//===- Clmt.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of the properties are those of definition 1 in LPD-REPORT-2008-
// 011 (Chockler, Lynch, Mitra and Tauber, DISC 2005, lemma 13.16 of Lynch's
// book). The initial write comes first without being looked for, as in section
// 4.2. Partial orders are made by adding one operation after the other, writes
// first, so that each is met once; there are exponentially many of them still.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Algorithms.h"
#include <chrono>

using namespace atsan::registers;

namespace {

class PartialOrders {
public:
  PartialOrders(const Register &R, double MaxSeconds)
      : R(R), MaxSeconds(MaxSeconds) {
    for (const Operation &O : R.Operations)
      if (O.What == Kind::Write)
        All.push_back(&O);
    Writes = All.size();
    for (const Operation &O : R.Operations)
      if (O.What == Kind::Read)
        All.push_back(&O);
    Before.resize(All.size());
  }

  /// Is there a partial order with the properties, from operation I on?
  bool exists(size_t I = 0) {
    if (I == All.size())
      return true;
    // Every set of earlier operations may come before I.
    for (uint64_t Earlier = 0; Earlier >> I == 0; ++Earlier) {
      if (isTimeOver())
        return false;
      if (isClosed(Earlier) && fitsBefore(I, Earlier) &&
          existsBehind(I, Earlier))
        return true;
    }
    return false;
  }
  bool gaveUp() const { return IsOver; }

private:
  bool isTimeOver() {
    if (!IsOver && MaxSeconds != 0 && ++Asked % 1024 == 0)
      IsOver = std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                             Begin)
                   .count() > MaxSeconds;
    return IsOver;
  }
  static bool has(uint64_t Set, size_t I) { return Set >> I & 1; }

  /// Is everything in the set that comes before something in it?
  bool isClosed(uint64_t Set) const {
    for (size_t J = 0; Set >> J; ++J)
      if (has(Set, J) && (Before[J] & ~Set))
        return false;
    return true;
  }
  /// Properties 1, 3, 4 and 5 for those before I.
  bool fitsBefore(size_t I, uint64_t Earlier) const {
    const Operation &O = *All[I];
    for (size_t J = 0; J != I; ++J) {
      if (has(Earlier, J) && O.precedes(*All[J])) // 1
        return false;
      if (!has(Earlier, J) && J < Writes && I >= Writes &&
          All[J]->precedes(O)) // 3
        return false;
      if (J >= Writes && All[J]->precedes(O) &&
          (lastWrites(Before[J]) & ~Earlier)) // 4
        return false;
    }
    return I < Writes || written(Earlier) == O.Argument; // 5
  }
  /// Tries what can come behind I.
  bool existsBehind(size_t I, uint64_t Earlier) {
    const uint64_t Rest = ((uint64_t(1) << I) - 1) & ~Earlier;
    for (uint64_t Later = Rest;; Later = (Later - 1) & Rest) {
      if (isTimeOver())
        return false;
      if (fitsBehind(I, Earlier, Later)) {
        Before[I] = Earlier;
        for (size_t J = 0; J != I; ++J)
          if (has(Later, J))
            Before[J] |= uint64_t(1) << I;
        if (exists(I + 1))
          return true;
        for (size_t J = 0; J != I; ++J)
          Before[J] &= ~(uint64_t(1) << I);
      }
      if (!Later)
        return false;
    }
  }
  /// Is it a partial order with I between the two sets? Properties 1 to 4.
  bool fitsBehind(size_t I, uint64_t Earlier, uint64_t Later) const {
    const Operation &O = *All[I];
    for (size_t J = 0; J != I; ++J) {
      if (!has(Later, J)) {
        if ((Before[J] & Later) != 0)
          return false; // What comes behind is closed.
        if (J < Writes && I < Writes && !has(Earlier, J)) // 2
          return false;
        if (J >= Writes && I >= Writes && O.precedes(*All[J]) &&
            (lastWrites(Earlier) & ~Before[J])) // 4
          return false;
        continue;
      }
      if (All[J]->precedes(O)) // 1
        return false;
      if ((Earlier & ~Before[J]) != 0)
        return false; // It would order two others.
    }
    return true;
  }
  /// LastPrecWrites, of what comes before an operation. Writes are in a total
  /// order, so it is one, or the initial one: an empty set.
  uint64_t lastWrites(uint64_t Of) const {
    const uint64_t W = Of & ((uint64_t(1) << Writes) - 1);
    for (size_t J = 0; J != Writes; ++J)
      if (has(W, J) && (Before[J] & ((uint64_t(1) << Writes) - 1)) ==
                           (W & ~(uint64_t(1) << J)))
        return uint64_t(1) << J;
    return 0;
  }
  Value written(uint64_t Of) const {
    const uint64_t Last = lastWrites(Of);
    for (size_t J = 0; J != Writes; ++J)
      if (has(Last, J))
        return All[J]->Argument;
    return R.Initial;
  }

  const Register &R;
  double MaxSeconds;
  std::chrono::steady_clock::time_point Begin =
      std::chrono::steady_clock::now();
  uint64_t Asked = 0;
  bool IsOver = false;
  std::vector<const Operation *> All; ///< Writes, then reads.
  size_t Writes = 0;
  std::vector<uint64_t> Before; ///< What comes before each operation.
};

} // namespace

Decision atsan::registers::decideClmt(const Register &R,
                                      const Request &Wanted) {
  Decision D;
  D.Algorithm = "clmt";
  PartialOrders Search(R, Wanted.Given.MaxSeconds);
  if (Search.exists())
    return D;
  D.Is = Search.gaveUp() ? Verdict::Unknown : Verdict::Violation;
  if (Search.gaveUp())
    D.GaveUp = "it needs more than the time of --max-seconds; leave out "
               "--algorithm=clmt, whose time is exponential";
  return D;
}
