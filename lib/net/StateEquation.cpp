//===- StateEquation.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/StateEquation.h"
#include <algorithm>
#include <numeric>
#include <z3++.h>

namespace atsan::net {

/// What Z3 is asked: weights that are nowhere negative, and that no transition
/// increases.
struct StateEquation::Solver {
  z3::context Context;
  z3::solver S;
  std::vector<z3::expr> Weight;

  explicit Solver(const Net &N) : S(Context, "QF_LRA") {
    for (PlaceId P = 0; P < N.Places.size(); ++P) {
      Weight.push_back(Context.real_const(("w" + std::to_string(P)).c_str()));
      S.add(Weight.back() >= 0);
    }
    for (const PlaceId P : N.OrMore)
      S.add(Weight[P] == 0);
    for (const Transition &T : N.Transitions)
      S.add(sum(T.Post) <= sum(T.Pre));
  }

  z3::expr sum(const Marking &M) {
    z3::expr Sum = Context.real_val(0);
    bool IsFirst = true;
    for (const Arc &A : M) {
      const z3::expr Product =
          A.Count == 1 ? Weight[A.Place]
                       : Context.real_val(std::to_string(A.Count).c_str()) *
                             Weight[A.Place];
      Sum = IsFirst ? Product : Sum + Product;
      IsFirst = false;
    }
    return Sum;
  }

  /// The weights of the model as whole numbers; empty if they are too large.
  std::vector<int64_t> weights() {
    const z3::model Model = S.get_model();
    std::vector<std::pair<int64_t, int64_t>> Fractions;
    int64_t Common = 1;
    for (const z3::expr &W : Weight) {
      const z3::expr Value = Model.eval(W, true);
      int64_t Above, Below;
      if (!Z3_get_numeral_rational_int64(Context, Value, &Above, &Below) ||
          Below <= 0 || Below > Limit)
        return {};
      Common = std::lcm(Common, Below);
      if (Common > Limit)
        return {};
      Fractions.emplace_back(Above, Below);
    }
    std::vector<int64_t> Whole;
    for (const auto &[Above, Below] : Fractions) {
      const __int128 Value = __int128{Above} * (Common / Below);
      if (Value > Limit)
        return {};
      Whole.push_back(static_cast<int64_t>(Value));
    }
    return Whole;
  }

  static constexpr int64_t Limit = int64_t{1} << 30;
};

StateEquation::StateEquation(const Net &N, Budget &B) : N(N), B(B) {}
StateEquation::~StateEquation() = default;

static __int128 weigh(const std::vector<int64_t> &Weights, const Marking &M) {
  __int128 Result = 0;
  for (const Arc &A : M)
    Result += __int128{Weights[A.Place]} * A.Count;
  return Result;
}

bool StateEquation::isHeavier(const Weights &W, const Marking &M) {
  return weigh(W.OfPlace, M) > W.Initial;
}

bool isInvariant(const Net &N, const std::vector<int64_t> &Weights) {
  for (const int64_t Weight : Weights)
    if (Weight < 0)
      return false;
  for (const PlaceId P : N.OrMore)
    if (Weights[P])
      return false;
  for (const Transition &T : N.Transitions)
    if (weigh(Weights, T.Post) > weigh(Weights, T.Pre))
      return false;
  return true;
}

/// False if the weight is too large a number.
bool StateEquation::weighInitial(Weights &W) const {
  const __int128 Initial = weigh(W.OfPlace, N.Initial);
  W.Initial = static_cast<int64_t>(Initial);
  return Initial <= INT64_MAX;
}

bool StateEquation::excludes(const Marking &M) {
  // The last ones first: neighbours in the search are alike.
  for (size_t I = Known.size(); I-- > 0;)
    if (isHeavier(Known[I], M)) {
      if (I + 1 < Known.size())
        std::swap(Known[I], Known[I + 1]);
      return true;
    }
  // Where Z3 seldom finds weights, it is asked seldom.
  ++Asked;
  if (Searches >= 64 && Found * 32 < Searches && Asked % 32)
    return false;
  return search(M);
}

bool StateEquation::search(const Marking &M) {
  // Z3 takes long to be told of more, without a look at its limit of time.
  constexpr size_t MaxPlaces = 4096;
  if (N.Places.size() > MaxPlaces)
    return false;
  ++Searches;
  try {
    if (!Z3)
      Z3 = std::make_unique<Solver>(N);
    z3::params Params(Z3->Context);
    const double Seconds = std::min(10.0, B.secondsLeft());
    Params.set("timeout", static_cast<unsigned>(Seconds * 1000) + 1);
    Z3->S.set(Params);
    Z3->S.push();
    Z3->S.add(Z3->sum(M) >= Z3->sum(N.Initial) + 1);
    Weights W;
    B.onStop([this] { Z3->Context.interrupt(); });
    const bool IsFound = !B.isSpent() && Z3->S.check() == z3::sat;
    B.onStop({});
    if (IsFound)
      W.OfPlace = Z3->weights();
    Z3->S.pop();
    // What Z3 says is checked before it is used.
    if (W.OfPlace.size() != N.Places.size() || !isInvariant(N, W.OfPlace) ||
        !weighInitial(W) || !isHeavier(W, M))
      return false;
    ++Found;
    Known.push_back(std::move(W));
    return true;
  } catch (const z3::exception &) {
    B.onStop({});
    return false; // Z3 has a limit of its own; nothing is excluded then.
  }
}

} // namespace atsan::net
