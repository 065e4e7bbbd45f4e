//===- Permutations.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/registers/Permutations.h"
#include <algorithm>
#include <cstdlib>

using namespace atsan::registers;

namespace {

/// Does the operation, on a register with this value; false: its result is
/// another one.
bool apply(const Operation &O, Value &Held) {
  switch (O.What) {
  case Kind::Read:
    return Held == O.Argument;
  case Kind::RefusedCas:
    return Held != O.Argument;
  case Kind::ContradictoryCas:
    return false;
  case Kind::Write:
    Held = O.Argument;
    return true;
  case Kind::Add:
    Held += O.Argument;
    return true;
  case Kind::Cas:
  case Kind::Swap:
  case Kind::FetchAdd:
    if (Held != O.Expected)
      return false;
    Held = O.Argument;
    return true;
  case Kind::Append:
  case Kind::Look:
    break;
  }
  std::abort();
}

struct Search {
  const std::vector<Operation> &All;
  std::vector<bool> Placed;

  bool canBeNext(size_t I) const {
    for (size_t J = 0; J != All.size(); ++J)
      if (!Placed[J] && All[J].Return != Never && All[J].Return < All[I].Call)
        return false;
    return !Placed[I];
  }
  bool canEnd() const {
    for (size_t J = 0; J != All.size(); ++J)
      if (!Placed[J] && All[J].Return != Never)
        return false;
    return true;
  }
  bool run(Value Held) {
    if (canEnd())
      return true;
    for (size_t I = 0; I != All.size(); ++I) {
      Value Next = Held;
      if (!canBeNext(I) || !apply(All[I], Next))
        continue;
      Placed[I] = true;
      const bool Found = run(Next);
      Placed[I] = false;
      if (Found)
        return true;
    }
    return false;
  }
};

} // namespace

bool test::isLinearizable(const std::vector<Operation> &Operations,
                          Value Initial) {
  return Search{Operations, std::vector<bool>(Operations.size())}.run(Initial);
}

int test::firstOffending(const std::vector<Operation> &Operations,
                         Value Initial) {
  std::vector<size_t> Returns;
  for (size_t I = 0; I != Operations.size(); ++I)
    if (Operations[I].Return != Never)
      Returns.push_back(I);
  std::sort(Returns.begin(), Returns.end(), [&](size_t A, size_t B) {
    return std::make_pair(Operations[A].Return, A) <
           std::make_pair(Operations[B].Return, B);
  });
  for (size_t Last = 0; Last != Returns.size(); ++Last) {
    std::vector<Operation> Prefix;
    for (size_t I = 0; I != Operations.size(); ++I) {
      Operation O = Operations[I];
      const auto End = Returns.begin() + static_cast<std::ptrdiff_t>(Last) + 1;
      const bool Returned = std::find(Returns.begin(), End, I) != End;
      const bool Reads = O.isObserver();
      if (O.Call > Operations[Returns[Last]].Return || (Reads && !Returned))
        continue;
      if (!Returned)
        O.Return = Never;
      Prefix.push_back(O);
    }
    if (!isLinearizable(Prefix, Initial))
      return static_cast<int>(Returns[Last]);
  }
  return -1;
}

bool test::canHold(std::vector<Operation> Operations, Value Initial,
                   int Offending, Value V) {
  Operation &Bad = Operations[Offending];
  Bad.What = Kind::Read;
  Bad.Argument = V;
  const int Now = firstOffending(Operations, Initial);
  return Now < 0 || std::make_pair(Bad.Return, Offending) <
                        std::make_pair(Operations[Now].Return, Now);
}

bool test::isLinearization(const std::vector<Operation> &Operations,
                           Value Initial, const std::vector<uint32_t> &Order) {
  Search S{Operations, std::vector<bool>(Operations.size())};
  for (const uint32_t I : Order) {
    if (!S.canBeNext(I) || !apply(Operations[I], Initial))
      return false;
    S.Placed[I] = true;
  }
  return S.canEnd();
}
