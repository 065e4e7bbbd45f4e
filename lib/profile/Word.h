//===- Word.h -------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What matters of a run of one thread for prediction (TACAS'09, Definition 4):
// at most two of its accesses, whether they are in one transaction, and the
// lock operations around them. Lock operations that come in a pair and make
// nothing possible are an obstacle only, so of words that differ in such pairs
// the smallest ones are enough.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PROFILE_WORD_H
#define ATSAN_PROFILE_WORD_H

#include "lib/model/Moves.h"
#include <tuple>

namespace atsan::profile {

/// Reads or writes of one variable: twice its number, plus 1 for writes.
using Access = uint32_t;
constexpr Access NoAccess = UINT32_MAX;
constexpr bool conflict(Access A, Access B) {
  return A / 2 == B / 2 && (A % 2 || B % 2);
}

struct Token {
  enum class Kind : uint8_t {
    Mark, ///< The first of the chosen accesses, the second, or both at once.
    Acquire,
    Release,
  };
  Kind Is = Kind::Mark;
  uint32_t Lock = 0;
  bool operator==(const Token &O) const { return Is == O.Is && Lock == O.Lock; }
};

struct Word {
  std::vector<Token> Tokens;
  Access First = NoAccess;  ///< The accesses, in their order.
  Access Second = NoAccess; ///< NoAccess: there is only one, or none.
  bool IsTogether = false;  ///< Are both in one step, so in both orders?
  /// Does a transaction begin or end before the first access (or in the word,
  /// if it has none), and behind it (between the two, if there are two)?
  bool CrossesBefore = false;
  bool CrossesBehind = false;
  uint32_t Trail = 0; ///< What the thread did (Trails).

  using Key = std::tuple<Access, Access, bool>;
  Key key() const { return {First, Second, IsTogether}; }
  bool hasAccess() const { return First != NoAccess; }
  bool hasSecond() const { return Second != NoAccess; }
  /// A transaction begins or ends.
  void cross() {
    if (!hasAccess())
      CrossesBefore = true;
    else if (!hasSecond())
      CrossesBehind = true;
  }
};

/// The word \p A, and then \p B. False if there would be too many accesses.
bool join(const Word &A, const Word &B, Word &To);

/// Is \p Other superfluous beside \p W, whatever comes before and behind them?
/// Both have the same key, and lead from and to the same held locks.
bool isAsGood(const Word &W, const Word &Other);
/// Is \p Other superfluous beside \p W, if both begin without locks and nothing
/// comes behind them? The thread may stop anywhere in them.
bool isAsGoodAtEnd(const Word &W, const Word &Other);

} // namespace atsan::profile

#endif
