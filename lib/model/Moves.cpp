//===- Moves.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/model/Moves.h"

namespace atsan::model {

const std::string &objectName(const Program &P, uint32_t Object) {
  return Object < P.Variables.size()
             ? P.Variables[Object].Name
             : P.Locks[Object - P.Variables.size()].Name;
}

std::optional<Value> knownValue(const Formula &F, const KnownLocals &Known) {
  std::vector<Value> Locals(Known.size() + 1);
  for (const Formula::Instruction &I : F.code()) {
    if (I.Is == Formula::Code::Element)
      return std::nullopt;
    if (I.Is != Formula::Code::Local)
      continue;
    const std::optional<Value> &V = Known[I.Number];
    if (!V)
      return std::nullopt;
    Locals[I.Number] = *V;
  }
  return F.evaluate(Locals.data());
}

static std::vector<Move> onObjects(const KnownLocals &Known, const Edge &E,
                                   Move::Kind Is, uint32_t First) {
  const auto On = [&](uint32_t Index) {
    Move M;
    M.Is = Is;
    M.Object = First + E.Where.First + Index;
    return M;
  };
  if (E.Where.Index.empty())
    return {On(0)};
  std::vector<Move> Moves;
  if (const auto Index = knownValue(E.Where.Index, Known)) {
    if (*Index >= 0 && static_cast<uint32_t>(*Index) < E.Where.Count)
      Moves.push_back(On(*Index));
    return Moves;
  }
  for (uint32_t I = 0; I < E.Where.Count; ++I)
    Moves.push_back(On(I));
  return Moves;
}

std::vector<Move> movesOf(const Program &P, const KnownLocals &Known,
                          const Edge &E) {
  const uint32_t Locks = lockObject(P, 0);
  switch (E.Is) {
  case Edge::Kind::Test:
  case Edge::Kind::Assume:
  case Edge::Kind::Assert:
    // What runs on behind a false assertion is no run.
    if (const auto V = knownValue(E.What, Known); V && !*V)
      return {};
    return {{}};
  case Edge::Kind::Read:
    return onObjects(Known, E, Move::Kind::Read, 0);
  case Edge::Kind::Write:
  case Edge::Kind::Cas:
    return onObjects(Known, E, Move::Kind::Write, 0);
  case Edge::Kind::Acquire:
    return onObjects(Known, E, Move::Kind::Acquire, Locks);
  case Edge::Kind::Release:
    return onObjects(Known, E, Move::Kind::Release, Locks);
  default:
    return {{}};
  }
}

KnownLocals knowsSelf(const Automaton &Code, uint32_t Replica) {
  KnownLocals Known(Code.Locals.size());
  if (Code.Self)
    Known[*Code.Self] = static_cast<Value>(Replica);
  return Known;
}

} // namespace atsan::model
