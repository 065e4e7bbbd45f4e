//===- TokenStream.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser reads: words one after the other, with the comments between
// them, of which none gets lost.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_TOKENSTREAM_H
#define ATSAN_MODEL_TOKENSTREAM_H

#include "lib/model/Lexer.h"

namespace atsan::model {

class TokenStream {
public:
  explicit TokenStream(std::string_view Text) : Tokens(readTokens(Text)) {}

  const Token &peek(size_t Ahead = 0) const;
  bool isAtEnd() const { return peek().Is == Token::Kind::End; }
  /// Is the word at hand this keyword or symbol?
  bool is(std::string_view Word, size_t Ahead = 0) const;
  Token take();
  /// Takes the word if it is this one.
  bool takeIf(std::string_view Word);
  /// Takes this word; \p Hint says what to do if another one is there.
  Position expect(std::string_view Word, const std::string &Hint);
  /// Takes a name that is no keyword. \p What is named by it: "a variable".
  std::string expectName(const std::string &What);

  /// The comments before the word at hand.
  std::vector<Comment> takeComments();
  /// Begins a declaration or statement: the comments before it.
  Comments begin();
  /// Ends it: adds comments within, and the one at the end of its last line.
  void end(Comments &Of);

  [[noreturn]] void fail(const std::string &Problem,
                         const std::string &Hint) const;
  /// The word at hand, for an error: "'x'", "the end of the text".
  std::string found() const;

private:
  std::vector<Token> Tokens;
  size_t Next = 0;
  std::vector<Comment> Loose; // Comments in the midst of something.
};

bool isKeyword(std::string_view Word);

} // namespace atsan::model

#endif // ATSAN_MODEL_TOKENSTREAM_H
