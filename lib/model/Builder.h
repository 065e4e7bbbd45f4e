//===- Builder.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes an automaton, edge by edge.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_BUILDER_H
#define ATSAN_MODEL_BUILDER_H

#include "lib/model/Program.h"

namespace atsan::model {

class Builder {
public:
  /// \p NodesLeft: how many more nodes the program may have.
  Builder(Automaton &To, size_t &NodesLeft);

  uint32_t addNode(Position At);
  /// The node where the next edge begins.
  uint32_t here() const { return Here; }
  void goTo(uint32_t Node) { Here = Node; }
  /// Adds an edge from here to a new node, and goes there.
  void add(Edge E);
  /// Adds an edge from here to \p Node, and stays.
  void addTo(Edge E, uint32_t Node);
  void skipTo(uint32_t Node, Position At);

  /// Neighbouring locals of this type that nobody uses.
  uint32_t allocate(const std::string &Name, const Range &Of, uint32_t Count,
                    Position At);
  /// How many locals are in use now; release() frees those since.
  size_t mark() const { return Used.size(); }
  void release(size_t Mark);
  /// Never frees the local that was allocated last.
  void keepLast() { Used.pop_back(); }

private:
  Automaton &To;
  size_t &NodesLeft;
  uint32_t Here = 0;
  std::vector<bool> IsUsed;   // For each local.
  std::vector<uint32_t> Used; // In the order in which they were allocated.
};

inline Edge edge(Edge::Kind Is, Position At) {
  Edge E;
  E.Is = Is;
  E.At = At;
  return E;
}

inline Place local(uint32_t Slot) {
  Place P;
  P.First = Slot;
  return P;
}

} // namespace atsan::model

#endif // ATSAN_MODEL_BUILDER_H
