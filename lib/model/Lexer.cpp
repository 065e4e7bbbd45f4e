//===- Lexer.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Lexer.h"
#include <cstring>

using namespace atsan::model;

namespace {

bool isLetter(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
}

bool isDigit(char C) { return C >= '0' && C <= '9'; }

class Lexer {
public:
  explicit Lexer(std::string_view Text) : Text(Text) {}
  std::vector<Token> read();

private:
  char at(size_t Offset) const {
    return Next + Offset < Text.size() ? Text[Next + Offset] : '\0';
  }
  bool isAtEnd() const { return Next == Text.size(); }
  void advance(size_t Bytes);
  void skipSpace();
  void readComment();
  void readName();
  void readNumber();
  void readString();
  void readSymbol();
  [[noreturn]] void failAtByte() const;

  std::string_view Text;
  size_t Next = 0;
  Position Here = {1, 1};
  unsigned NewLines = 0; // Since the last token or comment.
  unsigned LastLine = 0; // That the last token has.
  Token Now;
};

} // namespace

void Lexer::advance(size_t Bytes) {
  for (; Bytes; --Bytes, ++Next) {
    if (Text[Next] == '\n') {
      ++Here.Line;
      Here.Column = 1;
      ++NewLines;
    } else {
      ++Here.Column;
    }
  }
}

void Lexer::readComment() {
  const bool IsLine = at(1) == '/';
  const unsigned Line = Here.Line;
  const bool Blank = NewLines > 1;
  size_t End = Text.find(IsLine ? "\n" : "*/", Next + 2);
  if (End == Text.npos && !IsLine)
    throw ModelError(Here, "this comment has no end", "add */");
  if (End == Text.npos)
    End = Text.size();
  else if (!IsLine)
    End += 2;
  std::string Words(Text.substr(Next, End - Next));
  while (!Words.empty() &&
         (Words.back() == ' ' || Words.back() == '\t' || Words.back() == '\r'))
    Words.pop_back();
  advance(End - Next);
  // A comment over several lines, or one that code follows, is no remark at the
  // end of a line.
  const bool EndsLine = Here.Line == Line;
  if (Line == LastLine && EndsLine && Now.Before.empty() &&
      Now.BehindLast.empty())
    Now.BehindLast = std::move(Words);
  else
    Now.Before.push_back({std::move(Words), Blank});
  NewLines = 0;
}

void Lexer::skipSpace() {
  for (;;) {
    const char C = at(0);
    if (!isAtEnd() && (C == ' ' || C == '\t' || C == '\r' || C == '\n'))
      advance(1);
    else if (C == '/' && (at(1) == '/' || at(1) == '*'))
      readComment();
    else
      return;
  }
}

void Lexer::readName() {
  size_t Size = 1;
  while (isLetter(at(Size)) || isDigit(at(Size)))
    ++Size;
  Now.Is = Token::Kind::Name;
  Now.Text = Text.substr(Next, Size);
}

void Lexer::readNumber() {
  size_t Size = 0;
  Now.Is = Token::Kind::Number;
  for (; isDigit(at(Size)); ++Size) {
    Now.Value = Now.Value * 10 + (at(Size) - '0');
    if (Now.Value > INT32_MAX)
      throw ModelError(Here, "this number is too large",
                       "numbers go up to 2147483647");
  }
  if (isLetter(at(Size)))
    throw ModelError(Here, "a name cannot begin with a digit",
                     "begin it with a letter");
  Now.Text = Text.substr(Next, Size);
}

void Lexer::readString() {
  const size_t End = Text.find_first_of("\"\n", Next + 1);
  if (End == Text.npos || Text[End] == '\n')
    throw ModelError(Here, "this name has no end", "close it with \"");
  Now.Is = Token::Kind::String;
  Now.Text = Text.substr(Next, End + 1 - Next);
}

void Lexer::failAtByte() const {
  const char C = at(0);
  if (C == '&' || C == '|')
    throw ModelError(Here, std::string("'") + C + "' is no operator",
                     std::string("write ") + C + C);
  std::string What = "a control character";
  if (static_cast<unsigned char>(C) >= 0x80)
    What = "a letter outside ASCII";
  else if (C > ' ' && C < 0x7f)
    What = std::string("'") + C + "'";
  throw ModelError(Here, What + " means nothing here",
                   "only comments and names in quotes have such characters");
}

void Lexer::readSymbol() {
  static const char *const Symbols[] = {
      ":=", "..", "==", "!=", "<=", ">=", "&&", "||", "+", "-", "*", "/", "%",
      "<",  ">",  "!",  "(",  ")",  "[",  "]",  "{",  "}", ";", ",", ".", "="};
  Now.Is = Token::Kind::Symbol;
  for (const char *S : Symbols)
    if (Text.compare(Next, strlen(S), S) == 0) {
      Now.Text = Text.substr(Next, strlen(S));
      return;
    }
  failAtByte();
}

std::vector<Token> Lexer::read() {
  std::vector<Token> All;
  do {
    Now = Token();
    NewLines = 0;
    skipSpace();
    Now.At = Here;
    Now.BlankBefore = NewLines > 1;
    if (!isAtEnd()) {
      if (isLetter(at(0)))
        readName();
      else if (isDigit(at(0)))
        readNumber();
      else if (at(0) == '"')
        readString();
      else
        readSymbol();
      advance(Now.Text.size());
      LastLine = Here.Line;
    }
    if (Now.Is == Token::Kind::String)
      Now.Text = Now.Text.substr(1, Now.Text.size() - 2);
    All.push_back(std::move(Now));
  } while (All.back().Is != Token::Kind::End);
  return All;
}

std::vector<Token> atsan::model::readTokens(std::string_view Text) {
  if (Text.size() > MaxModelBytes)
    throw ModelError({1, 1}, "the model has more than 4 MiB",
                     "a model is a page of text; is this the right file?");
  return Lexer(Text).read();
}
