//===- Explain.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are left out, or say less, only where a linearization of the whole
// would still be one of the rest. So the rest explains the whole. Such changes:
//   - a read, or another operation that does not change the value, goes;
//   - a read-modify-write becomes a write, whose result says nothing;
//   - a write goes that nobody can see, since another one comes before any
//     result does;
//   - an unknown operation goes that nobody needs;
//   - a write goes whose value no result tells of; and all that has to do with
//     one value, if that is plain reads and writes.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Explain.h"
#include "lib/registers/Deadlines.h"
#include "lib/registers/Decide.h"
#include <algorithm>
#include <chrono>

using namespace atsan::registers;

namespace {

struct Item {
  Operation Op;       ///< What it says still.
  uint32_t Index = 0; ///< In the history.
};
using Items = std::vector<Item>;

class Minimizer {
public:
  Minimizer(const Register &R, Values &Known, uint32_t Offending,
            double MaxSeconds)
      : R(R), Known(Known), Offending(Offending), MaxSeconds(MaxSeconds) {}

  /// A part of the history up to the offending return.
  Items minimize() {
    Items Left = withoutUnneeded(prefix());
    for (size_t Size = Left.size() / 2 + 1;; Size = (Size + 1) / 2) {
      bool Changed = dropResults(Left, Size);
      if (Size > 1)
        continue;
      Changed |= dropWrites(Left);
      Changed |= dropValues(Left);
      if (!Changed)
        return Left;
    }
  }
  bool isMinimal() const { return IsMinimal; }

  /// What the register can have held while the offending operation was open,
  /// which is what a read in its place can have found.
  void findHeld(Explanation &E) {
    const Items All = prefix();
    Register Part = registerOf(All);
    const auto Place = std::find_if(All.begin(), All.end(), [&](const Item &I) {
      return I.Index == Offending;
    });
    Operation &InPlace = Part.Operations[Place - All.begin()];
    InPlace.What = Kind::Look;
    const Decision Found = decideFrontier(Part, Known, Quickly);
    E.HasMore = Found.Is == Verdict::Unknown;
    InPlace.What = Kind::Read;
    for (const Value V : Found.Looked) {
      if (E.Possible.size() == Decision::MostPossible || isTimeOver()) {
        E.HasMore = true;
        return;
      }
      InPlace.Argument = V;
      const Verdict Is = decide(Part, Known, Quickly).Is;
      if (Is == Verdict::Linearizable)
        E.Possible.push_back(V);
      E.HasMore |= Is == Verdict::Unknown;
    }
  }

private:
  /// For each of many questions.
  static constexpr Request Quickly = {{uint64_t(1) << 28, 1}, false};

  Items prefix() const {
    const Stamp End = R.Operations[Offending].Return;
    Items Out;
    for (uint32_t I = 0; I != R.Operations.size(); ++I) {
      Operation O = R.Operations[I];
      const bool IsOpen = O.Return > End || (O.Return == End && I > Offending);
      if (O.Call > End || (IsOpen && O.isObserver()))
        continue;
      if (IsOpen)
        O.Return = Never;
      Out.push_back({O, I});
    }
    return Out;
  }

  Register registerOf(const Items &Of) const {
    Register Part;
    Part.Initial = R.Initial;
    Part.Operations.reserve(Of.size());
    for (const Item &I : Of)
      Part.Operations.push_back(I.Op);
    return Part;
  }
  bool isViolation(const Items &Of) {
    const Decision D = decide(registerOf(Of), Known, Quickly);
    IsMinimal = IsMinimal && D.Is != Verdict::Unknown;
    return D.Is == Verdict::Violation;
  }
  bool isTimeOver() {
    const std::chrono::duration<double> Spent =
        std::chrono::steady_clock::now() - Begin;
    if (MaxSeconds == 0 || Spent.count() <= MaxSeconds)
      return false;
    IsMinimal = false;
    return true;
  }
  /// Takes \p Part instead of \p Left if it is a violation, too.
  bool accept(Items &Left, Items Part) {
    Part = withoutUnneeded(std::move(Part));
    if (isTimeOver() || !isViolation(Part))
      return false;
    Left = std::move(Part);
    return true;
  }

  bool canLoseResult(const Item &I) const {
    return I.Index != Offending &&
           (I.Op.isObserver() || I.Op.isReadModifyWrite());
  }
  /// Takes results away, so many at once.
  bool dropResults(Items &Left, size_t Size) {
    bool Changed = false;
    for (size_t From = 0;;) {
      Items Part;
      size_t Seen = 0;
      for (const Item &I : Left) {
        if (!canLoseResult(I)) {
          Part.push_back(I);
          continue;
        }
        ++Seen;
        if (Seen <= From || Seen > From + Size)
          Part.push_back(I);
        else if (!I.Op.isObserver()) {
          Part.push_back(I);
          Part.back().Op.What = Kind::Write;
        }
      }
      if (Seen <= From || isTimeOver())
        return Changed;
      if (accept(Left, std::move(Part)))
        Changed = true;
      else
        From += Size;
    }
  }

  /// The values that results tell of.
  static std::set<Value> told(const Items &Of) {
    std::set<Value> Out;
    for (const Item &I : Of)
      if (I.Op.isReadModifyWrite())
        Out.insert(I.Op.Expected);
      else if (I.Op.What == Kind::Read)
        Out.insert(I.Op.Argument);
    return Out;
  }
  /// Is any value of account, for a refused compare-and-swap or an addition?
  static bool isAnyValueOfUse(const Items &Of) {
    return std::any_of(Of.begin(), Of.end(), [](const Item &I) {
      return I.Op.What == Kind::RefusedCas || I.Op.What == Kind::Add ||
             I.Op.What == Kind::Append;
    });
  }
  /// Leaves out writes one by one, whose value nobody tells of.
  bool dropWrites(Items &Left) {
    if (isAnyValueOfUse(Left))
      return false;
    const std::set<Value> Told = told(Left);
    bool Changed = false;
    for (size_t I = 0; I < Left.size();) {
      Items Part = Left;
      Part.erase(Part.begin() + static_cast<std::ptrdiff_t>(I));
      if (Left[I].Op.What == Kind::Write && !Told.count(Left[I].Op.Argument) &&
          accept(Left, std::move(Part)))
        Changed = true;
      else
        ++I;
    }
    return Changed;
  }
  /// Leaves out all that has to do with a value.
  bool dropValues(Items &Left) {
    if (isAnyValueOfUse(Left))
      return false;
    std::set<Value> Candidates = told(Left);
    for (const Item &I : Left)
      if (I.Op.isReadModifyWrite()) {
        Candidates.erase(I.Op.Argument);
        Candidates.erase(I.Op.Expected);
      }
    bool Changed = false;
    for (const Value V : Candidates) {
      Items Part;
      std::copy_if(Left.begin(), Left.end(), std::back_inserter(Part),
                   [&](const Item &I) { return I.Op.Argument != V; });
      if (V != R.Operations[Offending].Argument)
        Changed |= accept(Left, std::move(Part));
    }
    return Changed;
  }

  Items withoutUnneeded(Items Of) const;

  const Register &R;
  Values &Known;
  uint32_t Offending;
  double MaxSeconds;
  bool IsMinimal = true;
  std::chrono::steady_clock::time_point Begin =
      std::chrono::steady_clock::now();
};

/// Finds writes that are overwritten before anybody can see them.
class Unseen {
public:
  explicit Unseen(const Items &Of) : Of(Of), LeastReturn(Of.size() + 1, Never) {
    for (size_t I = Of.size(); I--;) {
      const Operation &O = Of[I].Op;
      LeastReturn[I] = LeastReturn[I + 1];
      if (O.What == Kind::Write)
        LeastReturn[I] = std::min(LeastReturn[I], O.Return);
      if (!O.dependsOnValue())
        continue;
      Calls.push_back(O.Call);
      Returns.push_back(O.Return);
    }
    std::sort(Calls.begin(), Calls.end());
    std::sort(Returns.begin(), Returns.end());
  }

  bool has(const Operation &W) const {
    if (W.What != Kind::Write || W.isUnknown())
      return false;
    const auto Next =
        std::upper_bound(Of.begin(), Of.end(), W.Return,
                         [](Stamp S, const Item &I) { return S < I.Op.Call; });
    const Stamp Overwritten = LeastReturn[Next - Of.begin()];
    if (Overwritten == Never)
      return false;
    // All operations that are called by then have returned before.
    return std::upper_bound(Calls.begin(), Calls.end(), Overwritten) -
               Calls.begin() ==
           std::lower_bound(Returns.begin(), Returns.end(), W.Call) -
               Returns.begin();
  }

private:
  const Items &Of;
  std::vector<Stamp>
      LeastReturn; ///< The least return of a write from an item on.
  std::vector<Stamp> Calls,
      Returns; ///< When what depends on the value is called, and returns.
};

Items Minimizer::withoutUnneeded(Items Of) const {
  const Deadlines Until(registerOf(Of));
  Of.erase(std::remove_if(Of.begin(), Of.end(),
                          [&](const Item &I) {
                            return I.Op.isUnknown() &&
                                   Until.of(I.Op) < I.Op.Call;
                          }),
           Of.end());
  const Unseen Find(Of);
  // The last write of a value that is told of stays: it says where that is
  // from.
  std::set<Value> Told = told(Of);
  std::vector<bool> Goes(Of.size());
  for (size_t I = Of.size(); I--;)
    Goes[I] = Find.has(Of[I].Op) && !Told.erase(Of[I].Op.Argument);
  Items Out;
  for (size_t I = 0; I != Of.size(); ++I)
    if (!Goes[I])
      Out.push_back(Of[I]);
  return Out;
}

} // namespace

Explanation atsan::registers::explain(const Register &R, Values &Known,
                                      const Decision &Found,
                                      double MaxSeconds) {
  Explanation E;
  E.Offending = Found.Offending;
  E.Possible = Found.Possible;
  E.HasMore = E.Possible.size() == Decision::MostPossible;
  const Operation &Bad = R.Operations[E.Offending];
  E.PrefixReturns = std::count_if(
      R.Operations.begin(), R.Operations.end(), [&](const Operation &O) {
        return O.Return < Bad.Return ||
               (O.Return == Bad.Return &&
                &O - R.Operations.data() < std::ptrdiff_t(E.Offending));
      });
  Minimizer M(R, Known, E.Offending, MaxSeconds);
  const Items Core = M.minimize();
  E.IsMinimal = M.isMinimal();
  for (const Item &I : Core)
    E.Core.push_back(I.Index);
  if (E.Possible.empty())
    M.findHeld(E);
  return E;
}
