//===- TokenStream.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/TokenStream.h"
#include <algorithm>
#include <iterator>

using namespace atsan::model;

bool atsan::model::isKeyword(std::string_view Word) {
  static constexpr std::string_view Words[] = {
      "acquire", "assert",  "assume",  "atomic",    "begin", "bool", "break",
      "cas",     "choose",  "const",   "continue",  "else",  "end",  "false",
      "if",      "int",     "lock",    "operation", "or",    "proc", "register",
      "regular", "release", "restart", "return",    "safe",  "self", "skip",
      "step",    "sync",    "thread",  "true",      "while"};
  return std::find(std::begin(Words), std::end(Words), Word) != std::end(Words);
}

const Token &TokenStream::peek(size_t Ahead) const {
  return Tokens[std::min(Next + Ahead, Tokens.size() - 1)];
}

bool TokenStream::is(std::string_view Word, size_t Ahead) const {
  const Token &T = peek(Ahead);
  return (T.Is == Token::Kind::Name || T.Is == Token::Kind::Symbol) &&
         T.Text == Word;
}

Token TokenStream::take() {
  const std::vector<Comment> Inside = takeComments();
  Loose.insert(Loose.end(), Inside.begin(), Inside.end());
  const Token &T = peek();
  if (Next + 1 < Tokens.size())
    ++Next;
  return T;
}

bool TokenStream::takeIf(std::string_view Word) {
  if (!is(Word))
    return false;
  take();
  return true;
}

std::string TokenStream::found() const {
  const Token &T = peek();
  if (T.Is == Token::Kind::End)
    return "the end of the text";
  constexpr size_t MaxShown = 40;
  return "'" + std::string(T.Text.substr(0, MaxShown)) +
         (T.Text.size() > MaxShown ? "...'" : "'");
}

void TokenStream::fail(const std::string &Problem,
                       const std::string &Hint) const {
  throw ModelError(peek().At, Problem, Hint);
}

Position TokenStream::expect(std::string_view Word, const std::string &Hint) {
  if (!is(Word))
    fail("there should be '" + std::string(Word) + "' in place of " + found(),
         Hint);
  return take().At;
}

std::string TokenStream::expectName(const std::string &What) {
  if (peek().Is != Token::Kind::Name)
    fail("there should be the name of " + What + " in place of " + found(),
         "names are letters, digits and _");
  if (isKeyword(peek().Text))
    fail(found() + " is a word of the language", "choose another name");
  return std::string(take().Text);
}

std::vector<Comment> TokenStream::takeComments() {
  Token &T = Tokens[Next];
  std::vector<Comment> All;
  if (!T.BehindLast.empty())
    All.push_back({std::move(T.BehindLast), false});
  std::move(T.Before.begin(), T.Before.end(), std::back_inserter(All));
  T.BehindLast.clear();
  T.Before.clear();
  return All;
}

Comments TokenStream::begin() {
  Comments Result;
  Result.BlankBefore = peek().BlankBefore;
  Result.Before = takeComments();
  return Result;
}

void TokenStream::end(Comments &Of) {
  std::move(Loose.begin(), Loose.end(), std::back_inserter(Of.Before));
  Loose.clear();
  std::string &Behind = Tokens[Next].BehindLast;
  if (!Behind.empty())
    Of.Behind = std::move(Behind);
  Behind.clear();
}
