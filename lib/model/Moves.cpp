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

/// The value of a formula over nothing but the number of the thread. nullopt if
/// it has data in it, or no value.
static std::optional<Value> valueOf(const Automaton &A, uint32_t Replica,
                                    const Formula &F) {
  for (const Formula::Instruction &I : F.code()) {
    const bool IsSelf = I.Is == Formula::Code::Local && A.Self &&
                        static_cast<uint32_t>(I.Number) == *A.Self;
    if (I.Is == Formula::Code::Element ||
        (I.Is == Formula::Code::Local && !IsSelf))
      return std::nullopt;
  }
  std::vector<Value> Locals(A.Locals.size() + 1);
  if (A.Self)
    Locals[*A.Self] = static_cast<Value>(Replica);
  return F.evaluate(Locals.data());
}

static std::vector<Move> onObjects(const Automaton &Code, uint32_t Replica,
                                   const Edge &E, Move::Kind Is,
                                   uint32_t First) {
  if (E.Where.Index.empty())
    return {{Is, First + E.Where.First}};
  std::vector<Move> Moves;
  if (const auto Index = valueOf(Code, Replica, E.Where.Index)) {
    if (*Index >= 0 && static_cast<uint32_t>(*Index) < E.Where.Count)
      Moves.push_back({Is, First + E.Where.First + *Index});
    return Moves;
  }
  for (uint32_t I = 0; I < E.Where.Count; ++I)
    Moves.push_back({Is, First + E.Where.First + I});
  return Moves;
}

std::vector<Move> movesOf(const Program &P, ThreadId T, const Edge &E) {
  return movesOf(P, P.Threads[T.Thread].Code, T.Replica, E);
}

std::vector<Move> movesOf(const Program &P, const Automaton &Code,
                          uint32_t Replica, const Edge &E) {
  const uint32_t Locks = lockObject(P, 0);
  switch (E.Is) {
  case Edge::Kind::Test:
  case Edge::Kind::Assume:
  case Edge::Kind::Assert:
    // What runs on behind a false assertion is no run.
    if (const auto V = valueOf(Code, Replica, E.What); V && !*V)
      return {};
    return {{}};
  case Edge::Kind::Read:
    return onObjects(Code, Replica, E, Move::Kind::Read, 0);
  case Edge::Kind::Write:
  case Edge::Kind::Cas:
    return onObjects(Code, Replica, E, Move::Kind::Write, 0);
  case Edge::Kind::Acquire:
    return onObjects(Code, Replica, E, Move::Kind::Acquire, Locks);
  case Edge::Kind::Release:
    return onObjects(Code, Replica, E, Move::Kind::Release, Locks);
  default:
    return {{}};
  }
}

bool dependsOnData(const Program &P, ThreadId T, const Edge &E) {
  const Automaton &Code = P.Threads[T.Thread].Code;
  switch (E.Is) {
  case Edge::Kind::Test:
  case Edge::Kind::Assume:
  case Edge::Kind::Assert:
    return !valueOf(Code, T.Replica, E.What);
  case Edge::Kind::Cas:
    return true; // It writes, or it only reads.
  default:
    return !E.Where.Index.empty() && !valueOf(Code, T.Replica, E.Where.Index);
  }
}

} // namespace atsan::model
