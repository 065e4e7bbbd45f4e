//===- Product.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Product.h"
#include "lib/model/Lower.h"
#include "lib/profile/Flow.h"

namespace atsan::profile {

using model::Edge;
using model::Node;
using model::Program;

namespace {

/// The edge without data.
Edge withoutData(const FlowEdge &E, const Program &P) {
  Edge New;
  New.At = E.Of->At;
  New.To = E.To;
  New.Number = E.Of->Number;
  New.Depth = E.Of->Depth;
  const uint32_t Locks = model::lockObject(P, 0);
  New.Where.First =
      E.Made.Object >= Locks ? E.Made.Object - Locks : E.Made.Object;
  switch (E.Of->Is) {
  case Edge::Kind::Read:
  case Edge::Kind::Acquire:
  case Edge::Kind::Release:
  case Edge::Kind::Begin:
  case Edge::Kind::End:
  case Edge::Kind::Restart:
  case Edge::Kind::StepBegin:
  case Edge::Kind::StepEnd:
    New.Is = E.Of->Is;
    return New;
  case Edge::Kind::Write:
  case Edge::Kind::Cas:
    New.Is = Edge::Kind::Write;
    New.What = model::Formula::number(0);
    return New;
  default:
    New.Is = Edge::Kind::Skip;
    return New;
  }
}

Edge neverTaken(model::Position At) {
  Edge New;
  New.Is = Edge::Kind::Assume;
  New.What = model::Formula::number(0);
  New.At = At;
  return New;
}

/// One automaton, without data and with the locks that are held in its nodes.
void replaceCode(const Program &P, const Flow &F, model::Automaton &Code) {
  std::vector<Node> New(F.States.size());
  for (size_t S = 0; S < F.States.size(); ++S) {
    const Node &Old = Code.Nodes[F.States[S].Node];
    const auto &Out = F.States[S].Out;
    New[S].At = Old.At;
    if (Out.size() == 1) {
      New[S].Out = {withoutData(Out[0], P)};
      continue;
    }
    if (Out.empty() && !Old.Out.empty())
      New[S].Out = {neverTaken(Old.At)};
    // Edges that do nothing choose which of several edges is taken.
    for (const FlowEdge &E : Out) {
      Edge Choice;
      Choice.At = E.Of->At;
      Choice.To = New.size();
      New[S].Out.push_back(std::move(Choice));
      New.push_back({{withoutData(E, P)}, E.Of->At});
    }
  }
  Code.Nodes = std::move(New);
  Code.Locals = {{"", {}, 0}};
  Code.Self.reset();
}

} // namespace

Program makeProduct(const Program &P, const model::SearchOptions &O) {
  check::Options Given;
  Given.MaxMemoryBytes = O.MaxMemoryBytes;
  Given.MaxSeconds = O.MaxSeconds;
  check::Limits Limit(Given);
  Program Result = P;
  Result.Threads.clear();
  for (model::Variable &V : Result.Variables)
    V.Of = {}, V.Initial = 0;
  size_t Nodes = 0;
  for (uint32_t T = 0; T < P.Threads.size(); ++T) {
    const model::Thread &Of = P.Threads[T];
    const bool IsEach = Of.Code.Self && Of.IsReplicated;
    for (uint32_t I = 0; I < (IsEach ? Of.Count : 1); ++I) {
      model::Thread New = Of;
      if (IsEach) {
        New.Code.Name = model::replicaName(Of, I);
        New.IsReplicated = false;
        New.Count = 1;
      }
      replaceCode(P, makeFlow(P, {T, I}, true, Limit), New.Code);
      Nodes += New.Code.Nodes.size();
      if (Limit.reached() || Nodes > model::MaxNodes)
        throw model::ModelError(Of.At,
                                Limit.why().empty()
                                    ? "the product has too many states of "
                                      "single threads"
                                    : Limit.why(),
                                "use fewer locks, or --locks=ignored");
      Result.Threads.push_back(std::move(New));
    }
  }
  return Result;
}

} // namespace atsan::profile
