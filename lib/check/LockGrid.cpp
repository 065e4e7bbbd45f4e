//===- LockGrid.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/LockGrid.h"
#include <algorithm>

using namespace atsan::check;

namespace {

constexpr size_t MaxCells = size_t(1) << 22;

/// A script without the locks that only one of the two threads takes.
struct Line {
  struct Step {
    enum What : uint8_t { Acquire, Release, In, Out, Both } Does;
    uint32_t Lock;
    bool Exclusive;
  };
  std::vector<Step> Steps;
  /// For each place, the locks that are held there: by lock, 1 shared, 2
  /// exclusively.
  std::vector<std::vector<uint8_t>> Held;
};

/// Numbers the locks that both use and that exclude somebody.
std::unordered_map<uint32_t, uint32_t>
commonLocks(const GridScript &A, const GridScript &B, const LockStretches &S) {
  std::unordered_map<uint32_t, uint32_t> Common;
  for (const auto &O : A.Operations)
    if (!S.isLoose(O.Lock) &&
        std::any_of(B.Operations.begin(), B.Operations.end(),
                    [&](const auto &Other) { return Other.Lock == O.Lock; }))
      Common.emplace(O.Lock, uint32_t(Common.size()));
  return Common;
}

Line lineOf(const GridScript &Of,
            const std::unordered_map<uint32_t, uint32_t> &Common) {
  Line L;
  const auto Accesses = [&](uint32_t At) {
    const bool In = Of.In == At, Out = Of.Out == At && !Of.IsOne;
    if (In && Of.IsOne)
      L.Steps.push_back({Line::Step::Both, 0, false});
    if (Out && (!In || Of.OutIsFirst))
      L.Steps.push_back({Line::Step::Out, 0, false});
    if (In && !Of.IsOne)
      L.Steps.push_back({Line::Step::In, 0, false});
    if (Out && In && !Of.OutIsFirst)
      L.Steps.push_back({Line::Step::Out, 0, false});
  };
  for (uint32_t I = 0; I <= Of.Operations.size(); ++I) {
    Accesses(I);
    if (I == Of.Operations.size())
      break;
    const LockStretches::Operation &O = Of.Operations[I];
    if (const auto It = Common.find(O.Lock); It != Common.end())
      L.Steps.push_back({O.Acquires ? Line::Step::Acquire : Line::Step::Release,
                         It->second, O.Exclusive});
  }
  std::vector<uint8_t> Held(Common.size());
  L.Held.push_back(Held);
  for (const Line::Step &S : L.Steps) {
    if (S.Does == Line::Step::Acquire)
      Held[S.Lock] = S.Exclusive ? 2 : 1;
    else if (S.Does == Line::Step::Release)
      Held[S.Lock] = 0;
    L.Held.push_back(Held);
  }
  return L;
}

/// The grid, with who has come to each cell by which step.
class Ways {
public:
  Ways(Line First, Line Second)
      : Of{std::move(First), std::move(Second)},
        From((Of[0].Steps.size() + 1) * (Of[1].Steps.size() + 1)) {
    for (bool Which : {false, true})
      for (size_t I = 0; I != Of[Which].Steps.size(); ++I) {
        const auto Does = Of[Which].Steps[I].Does;
        if (Does == Line::Step::In || Does == Line::Step::Both)
          Entered[Which] = I;
        if (Does == Line::Step::Out || Does == Line::Step::Both)
          Left[Which] = I;
      }
  }

  bool find(std::vector<LockGrid::Mark> &Order) {
    const size_t Width = Of[1].Steps.size() + 1;
    From[0] = Begin;
    for (size_t I = 0; I <= Of[0].Steps.size(); ++I)
      for (size_t J = 0; J != Width; ++J) {
        if (From[I * Width + J] == Nobody)
          continue;
        if (isDone(0, I) && isDone(1, J)) {
          tell(I, J, Order);
          return true;
        }
        if (I != Of[0].Steps.size() && canStep(0, I, J) &&
            From[(I + 1) * Width + J] == Nobody)
          From[(I + 1) * Width + J] = ByFirst;
        if (J + 1 != Width && canStep(1, J, I) &&
            From[I * Width + J + 1] == Nobody)
          From[I * Width + J + 1] = BySecond;
      }
    return false;
  }

private:
  enum : uint8_t { Nobody, Begin, ByFirst, BySecond };

  bool isDone(bool Which, size_t At) const {
    return At > Entered[Which] && At > Left[Which];
  }
  bool canStep(bool Which, size_t At, size_t Other) const {
    const Line::Step &S = Of[Which].Steps[At];
    switch (S.Does) {
    case Line::Step::Acquire: {
      const uint8_t Has = Of[!Which].Held[Other][S.Lock];
      return !Has || (Has == 1 && !S.Exclusive);
    }
    case Line::Step::In:
    case Line::Step::Both:
      return Other > Left[!Which];
    default:
      return true;
    }
  }
  void tell(size_t I, size_t J, std::vector<LockGrid::Mark> &Order) const {
    const size_t Width = Of[1].Steps.size() + 1;
    Order.clear();
    while (I || J) {
      const bool Which = From[I * Width + J] == BySecond;
      size_t &At = Which ? J : I;
      --At;
      const auto Does = Of[Which].Steps[At].Does;
      if (Does == Line::Step::In || Does == Line::Step::Both)
        Order.push_back({Which, false});
      else if (Does == Line::Step::Out)
        Order.push_back({Which, true});
    }
    std::reverse(Order.begin(), Order.end());
  }

  const Line Of[2];
  std::vector<uint8_t> From;
  size_t Entered[2] = {}, Left[2] = {};
};

} // namespace

LockGrid::Answer LockGrid::meet(const GridScript &A, const GridScript &B,
                                std::vector<Mark> &Order) const {
  const auto Common = commonLocks(A, B, Stretches);
  Line First = lineOf(A, Common), Second = lineOf(B, Common);
  if ((First.Steps.size() + 1) * (Second.Steps.size() + 1) > MaxCells)
    return Answer::TooLarge;
  return Ways(std::move(First), std::move(Second)).find(Order) ? Answer::Can
                                                               : Answer::Cannot;
}
