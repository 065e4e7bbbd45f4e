//===- Interleaving.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Interleaving.h"
#include <set>

namespace atsan::profile {

/// The number of the first or last token that is an access.
static size_t mark(const Word &W, bool Last) {
  size_t Found = 0;
  for (size_t I = 0; I < W.Tokens.size(); ++I)
    if (W.Tokens[I].Is == Token::Kind::Mark) {
      Found = I;
      if (!Last)
        break;
    }
  return Found;
}

size_t Passage::inAt() const { return mark(*Is, IsSplit); }
size_t Passage::outAt() const { return mark(*Is, !IsSplit); }

namespace {

class Search {
public:
  Search(const std::vector<Passage> &Cycle, bool IsClosed, check::Limits &Limit)
      : Cycle(Cycle), IsClosed(IsClosed), Limit(Limit) {
    for (const Passage &P : Cycle) {
      InAt.push_back(P.inAt());
      OutAt.push_back(P.outAt());
    }
  }

  std::optional<std::vector<size_t>> run() {
    State S;
    S.Done.resize(Cycle.size());
    if (visit(S))
      return Order;
    return std::nullopt;
  }

private:
  struct State {
    std::vector<size_t> Done; ///< How many tokens, by passage.
    std::set<uint32_t> Taken; ///< Locks.
    std::vector<size_t> Order;
  };

  const std::vector<Passage> &Cycle;
  bool IsClosed;
  check::Limits &Limit;
  std::vector<size_t> InAt, OutAt;
  std::set<std::vector<size_t>> Seen;
  std::vector<size_t> Order;

  const Token *next(const State &S, size_t I) const {
    const auto &All = Cycle[I].Is->Tokens;
    return S.Done[I] < All.size() ? &All[S.Done[I]] : nullptr;
  }

  bool mayMark(const State &S, size_t I) const {
    if (S.Done[I] != InAt[I])
      return true;
    const size_t Before = I ? I - 1 : Cycle.size() - 1;
    return (I || IsClosed) && S.Done[Before] > OutAt[Before];
  }

  bool isOver(const State &S) const {
    for (size_t I = 0; I < Cycle.size(); ++I)
      if (S.Done[I] <= OutAt[I] || ((I || IsClosed) && S.Done[I] <= InAt[I]))
        return false;
    return true;
  }

  /// Accesses and releases only make more possible, so they come at once.
  void goOn(State &S) const {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = 0; I < Cycle.size(); ++I)
        for (const Token *T;
             (T = next(S, I)) && T->Is != Token::Kind::Acquire;) {
          if (T->Is == Token::Kind::Mark && !mayMark(S, I))
            break;
          if (T->Is == Token::Kind::Release)
            S.Taken.erase(T->Lock);
          ++S.Done[I];
          S.Order.push_back(I);
          Changed = true;
        }
    }
  }

  bool visit(State S) {
    goOn(S);
    if (isOver(S)) {
      Order = std::move(S.Order);
      return true;
    }
    if (Limit.reached() || !Seen.insert(S.Done).second)
      return false;
    for (size_t I = 0; I < Cycle.size(); ++I) {
      const Token *T = next(S, I);
      if (!T || T->Is != Token::Kind::Acquire || S.Taken.count(T->Lock))
        continue;
      State Then = S;
      Then.Taken.insert(T->Lock);
      ++Then.Done[I];
      Then.Order.push_back(I);
      if (visit(std::move(Then)))
        return true;
    }
    return false;
  }
};

} // namespace

std::optional<std::vector<size_t>> interleave(const std::vector<Passage> &Cycle,
                                              bool IsClosed,
                                              check::Limits &Limit) {
  return Search(Cycle, IsClosed, Limit).run();
}

} // namespace atsan::profile
