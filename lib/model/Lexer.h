//===- Lexer.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of a model.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_LEXER_H
#define ATSAN_MODEL_LEXER_H

#include "lib/model/Syntax.h"
#include <string_view>

namespace atsan::model {

struct Token {
  enum class Kind : uint8_t { Name, Number, String, Symbol, End };

  Kind Is = Kind::End;
  /// The word itself; a string without its quotes. Points into the text.
  std::string_view Text;
  Position At;
  int64_t Value = 0; ///< A number's.
  /// Comments between the token before and this one.
  std::vector<Comment> Before;
  /// A comment between the token before and this one, on the line of the
  /// former.
  std::string BehindLast;
  bool BlankBefore = false;
};

/// Texts above this size are refused: no model is so long.
constexpr size_t MaxModelBytes = 4 << 20;

/// The words of the text, which must outlive them; the last one is of Kind End.
/// Throws ModelError.
std::vector<Token> readTokens(std::string_view Text);

} // namespace atsan::model

#endif // ATSAN_MODEL_LEXER_H
