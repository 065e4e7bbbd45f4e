//===- Word.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Word.h"
#include <algorithm>

namespace atsan::profile {

bool join(const Word &A, const Word &B, Word &To) {
  To = A;
  To.Tokens.insert(To.Tokens.end(), B.Tokens.begin(), B.Tokens.end());
  if (!B.hasAccess()) {
    if (B.CrossesBefore)
      To.cross();
    return true;
  }
  if (!A.hasAccess()) {
    To.First = B.First;
    To.Second = B.Second;
    To.IsTogether = B.IsTogether;
    To.CrossesBefore |= B.CrossesBefore;
    To.CrossesBehind = B.CrossesBehind;
    return true;
  }
  if (A.hasSecond() || B.hasSecond())
    return false;
  To.Second = B.First;
  To.CrossesBehind |= B.CrossesBefore;
  return true;
}

namespace {

/// Looks for the tokens of a word in another one, where pairs of lock
/// operations may be left out. Operations on one lock alternate in a word, so
/// whether a lock's open pair was left out is told by where both words are: it
/// is held in the larger one only.
class Embedding {
public:
  Embedding(const std::vector<Token> &Small, const std::vector<Token> &Large)
      : Small(Small), Large(Large), At(Small.size() + 1) {
    At[0] = true;
  }

  /// Goes on to the end of Large. Then at() tells how much of Small it can be.
  void run() {
    for (const Token &T : Large) {
      step(T);
      if (T.Is == Token::Kind::Acquire)
        Acquired.push_back(T.Lock);
    }
  }
  bool at(size_t Length) const { return At[Length]; }

private:
  const std::vector<Token> &Small;
  const std::vector<Token> &Large;
  std::vector<bool> At; ///< By length: can so much of Small be there by now?
  std::vector<uint32_t> Acquired; ///< In Large by now.

  /// Is the lock held where the first \p Length tokens of Small are over? False
  /// if they tell nothing about it.
  bool isTaken(size_t Length, uint32_t Lock) const {
    while (Length--)
      if (Small[Length].Is != Token::Kind::Mark && Small[Length].Lock == Lock)
        return Small[Length].Is == Token::Kind::Acquire;
    return false;
  }

  void step(const Token &T) {
    for (size_t I = Small.size() + 1; I--;) {
      const bool Was = At[I];
      const bool Matches = I && At[I - 1] && Small[I - 1] == T;
      At[I] = Matches || (Was && mayLeaveOut(T, I));
    }
  }

  bool mayLeaveOut(const Token &T, size_t I) const {
    switch (T.Is) {
    case Token::Kind::Mark:
      return false;
    case Token::Kind::Acquire:
      return true;
    case Token::Kind::Release:
      break;
    }
    // The end of a pair that was left out, or of one that Small has, too.
    return !isTaken(I, T.Lock) && wasTaken(T.Lock);
  }

  /// Is a release the end of a pair within Large?
  bool wasTaken(uint32_t Lock) const {
    return std::find(Acquired.begin(), Acquired.end(), Lock) != Acquired.end();
  }
};

bool crossesLess(const Word &W, const Word &Other) {
  return W.CrossesBefore <= Other.CrossesBefore &&
         W.CrossesBehind <= Other.CrossesBehind;
}

/// Where the last access of a word is over.
size_t needed(const Word &W) {
  size_t Length = W.Tokens.size();
  while (Length && W.Tokens[Length - 1].Is != Token::Kind::Mark)
    --Length;
  return Length;
}

} // namespace

bool isAsGood(const Word &W, const Word &Other) {
  if (!crossesLess(W, Other) || W.Tokens.size() > Other.Tokens.size())
    return false;
  Embedding E(W.Tokens, Other.Tokens);
  E.run();
  return E.at(W.Tokens.size());
}

bool isAsGoodAtEnd(const Word &W, const Word &Other) {
  if (!crossesLess(W, Other))
    return false;
  Embedding E(W.Tokens, Other.Tokens);
  E.run();
  for (size_t Length = needed(W); Length <= W.Tokens.size(); ++Length)
    if (E.at(Length))
      return true;
  return false;
}

} // namespace atsan::profile
