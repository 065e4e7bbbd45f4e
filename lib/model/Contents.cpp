//===- Contents.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/model/Contents.h"

using namespace atsan::model;

namespace {

class Finder {
public:
  explicit Finder(const Program &P) : P(P), IsCalled(P.Procedures.size()) {}

  Contents find() {
    for (const Thread &T : P.Threads)
      Work.push_back(&T.Code);
    while (!Work.empty()) {
      const Automaton &Code = *Work.back();
      Work.pop_back();
      walk(Code);
    }
    return Found;
  }

private:
  /// Looks at the edges that can be reached from the first node.
  void walk(const Automaton &Code) {
    if (Code.Nodes.empty())
      return;
    std::vector<bool> Seen(Code.Nodes.size());
    std::vector<uint32_t> Open = {0};
    Seen[0] = true;
    while (!Open.empty()) {
      const Node &N = Code.Nodes[Open.back()];
      Open.pop_back();
      for (const Edge &E : N.Out) {
        look(E);
        if (!Seen[E.To]) {
          Seen[E.To] = true;
          Open.push_back(E.To);
        }
      }
    }
  }

  void look(const Edge &E) {
    Found.Regions |= E.Is == Edge::Kind::Begin;
    Found.Operations |= E.Is == Edge::Kind::Invoke;
    Found.Asserts |= E.Is == Edge::Kind::Assert;
    if (E.Is != Edge::Kind::Call || IsCalled[E.Number])
      return;
    IsCalled[E.Number] = true;
    Work.push_back(&P.Procedures[E.Number]);
  }

  const Program &P;
  Contents Found;
  std::vector<bool> IsCalled;
  std::vector<const Automaton *> Work;
};

} // namespace

Contents atsan::model::contentsOf(const Program &P) { return Finder(P).find(); }
