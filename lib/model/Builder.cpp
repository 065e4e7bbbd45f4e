//===- Builder.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Builder.h"
#include "lib/model/Lower.h"

using namespace atsan::model;

Builder::Builder(Automaton &To, size_t &NodesLeft)
    : To(To), NodesLeft(NodesLeft) {
  addNode(Position());
}

uint32_t Builder::addNode(Position At) {
  if (!NodesLeft)
    throw ModelError(At,
                     "the model has more than " + std::to_string(MaxNodes) +
                         " steps when its calls are expanded",
                     "call less, or make procedures smaller");
  --NodesLeft;
  To.Nodes.push_back({{}, At});
  return To.Nodes.size() - 1;
}

void Builder::addTo(Edge E, uint32_t Node) {
  Automaton &A = To;
  if (A.Nodes[Here].Out.empty())
    A.Nodes[Here].At = E.At;
  E.To = Node;
  A.Nodes[Here].Out.push_back(std::move(E));
}

void Builder::add(Edge E) {
  const uint32_t Next = addNode(E.At);
  addTo(std::move(E), Next);
  Here = Next;
}

void Builder::skipTo(uint32_t Node, Position At) {
  addTo(edge(Edge::Kind::Skip, At), Node);
}

uint32_t Builder::allocate(const std::string &Name, const Range &Of,
                           uint32_t Count, Position At) {
  auto IsFree = [&](size_t Slot) {
    return !IsUsed[Slot] && To.Locals[Slot].Of == Of;
  };
  size_t First = 0, Free = 0;
  for (; First + Count <= IsUsed.size(); ++First) {
    for (Free = 0; Free < Count && IsFree(First + Free);)
      ++Free;
    if (Free == Count)
      break;
  }
  if (Free != Count) {
    First = IsUsed.size();
    if (First + Count > MaxLocals)
      throw ModelError(At,
                       "a thread has more than " + std::to_string(MaxLocals) +
                           " local variables",
                       "use fewer or smaller arrays");
    IsUsed.resize(First + Count);
    To.Locals.resize(First + Count);
    for (uint32_t I = 0; I < Count; ++I)
      To.Locals[First + I] = {Count > 1 ? Name + "[" + std::to_string(I) + "]"
                                        : Name,
                              Of, Of.first()};
  }
  for (uint32_t I = 0; I < Count; ++I) {
    IsUsed[First + I] = true;
    Used.push_back(First + I);
  }
  return First;
}

void Builder::release(size_t Mark) {
  for (; Used.size() > Mark; Used.pop_back())
    IsUsed[Used.back()] = false;
}
