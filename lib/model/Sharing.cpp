//===- Sharing.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Sharing.h"
#include <algorithm>

using namespace atsan::model;

Sharing::Sharing(const Program &P)
    : P(P), User(P.Variables.size(), None), Writer(P.Variables.size(), None) {
  for (unsigned Code = 0; Code < P.Threads.size(); ++Code)
    collect(Code);
  for (size_t V = 0; V < P.Variables.size(); ++V)
    Shared.push_back(User[V] == Several && Writer[V] != None);
  for (unsigned Code = 0; Code < P.Threads.size(); ++Code)
    findFootprints(Code);
}

void Sharing::collect(unsigned Code) {
  const Thread &T = P.Threads[Code];
  const bool IsOne = T.Count == 1 && !T.IsAnyNumber;
  auto Add = [&](int &To) {
    if (To != static_cast<int>(Code))
      To = To == None && IsOne ? static_cast<int>(Code) : Several;
  };
  for (const Node &N : T.Code.Nodes)
    for (const Edge &E : N.Out) {
      const bool IsWrite = E.Is == Edge::Kind::Write || E.Is == Edge::Kind::Cas;
      if (!IsWrite && E.Is != Edge::Kind::Read)
        continue;
      for (uint32_t I = 0; I < E.Where.Count; ++I) {
        Add(User[E.Where.First + I]);
        if (IsWrite)
          Add(Writer[E.Where.First + I]);
      }
    }
}

bool Sharing::isShared(const Place &Variables) const {
  for (uint32_t I = 0; I < Variables.Count; ++I)
    if (Shared[Variables.First + I])
      return true;
  return false;
}

std::vector<bool> Sharing::tracked() const {
  std::vector<bool> Result = Shared;
  for (size_t V = 0; V < Result.size(); ++V)
    if (P.Variables[V].Is == Storage::Sync)
      Result[V] = false;
  return Result;
}

void Sharing::requireOneWriter() const {
  for (size_t V = 0; V < P.Variables.size(); ++V) {
    const Variable &Of = P.Variables[V];
    if (Writer[V] == Several &&
        (Of.Is == Storage::Safe || Of.Is == Storage::Regular))
      throw ModelError(Of.At, "'" + Of.Name + "' has several writers",
                       "a safe or regular register has one; declare it atomic");
  }
}

Footprint Sharing::footprint(const Edge &E) const {
  Footprint F;
  // Variables, locks and the time share 64 bits.
  constexpr uint32_t Bits = 63;
  auto Add = [&](uint64_t &To, size_t First, uint32_t Count) {
    for (uint32_t I = 0; I < std::min(Count, Bits); ++I)
      To |= uint64_t(1) << ((First + I) % Bits);
  };
  switch (E.Is) {
  case Edge::Kind::Read:
    if (isShared(E.Where))
      Add(F.Reads, E.Where.First, E.Where.Count);
    break;
  case Edge::Kind::Write:
  case Edge::Kind::Cas:
    if (isShared(E.Where))
      Add(F.Writes, E.Where.First, E.Where.Count);
    break;
  case Edge::Kind::Acquire:
  case Edge::Kind::Release:
    Add(F.Writes, P.Variables.size() + E.Where.First, E.Where.Count);
    break;
  case Edge::Kind::Invoke:
  case Edge::Kind::Return:
    F.Writes |= uint64_t(1) << Bits; // The order of these matters.
    break;
  default:
    break;
  }
  return F;
}

void Sharing::findFootprints(unsigned Code) {
  const std::vector<Node> &Nodes = P.Threads[Code].Code.Nodes;
  std::vector<Footprint> Ahead(Nodes.size()), First(Nodes.size());
  bool Changed = true;
  // Most edges lead to later nodes.
  while (Changed) {
    Changed = false;
    for (size_t N = Nodes.size(); N--;) {
      Footprint Now = Ahead[N];
      for (const Edge &E : Nodes[N].Out) {
        Now |= footprint(E);
        Now |= Ahead[E.To];
      }
      Changed = Changed || Now != Ahead[N];
      Ahead[N] = Now;
    }
  }
  for (size_t N = 0; N < Nodes.size(); ++N)
    for (const Edge &E : Nodes[N].Out) {
      First[N] |= footprint(E);
      // All of a step block happens at once: what may follow it is more.
      if (E.Is == Edge::Kind::StepBegin)
        First[N] |= stepFootprint(Nodes, E.To);
    }
  Next.push_back(std::move(First));
  Future.push_back(std::move(Ahead));
}

// What a step block accesses that begins at a node. Steps have no loops.
Footprint Sharing::stepFootprint(const std::vector<Node> &Nodes,
                                 uint32_t From) const {
  Footprint F;
  std::vector<uint32_t> Work = {From};
  std::vector<bool> Seen(Nodes.size());
  while (!Work.empty()) {
    const uint32_t N = Work.back();
    Work.pop_back();
    if (Seen[N])
      continue;
    Seen[N] = true;
    for (const Edge &E : Nodes[N].Out) {
      F |= footprint(E);
      if (E.Is != Edge::Kind::StepEnd)
        Work.push_back(E.To);
    }
  }
  return F;
}
