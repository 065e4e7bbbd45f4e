//===- Scanner.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/net/Scanner.h"
#include <algorithm>

namespace atsan::net {

static bool isSpace(char C) { return C == ' ' || (C >= '\t' && C <= '\r'); }
static bool isDigit(char C) { return C >= '0' && C <= '9'; }
static bool isNameChar(char C) {
  return isDigit(C) || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         C == '_' || C == '.' || C == '$' || C == '#' || C == '@';
}

void Scanner::fail(const std::string &Message) const {
  throw NetError(File + ":" + std::to_string(Line) + ": " + Message);
}

void Scanner::skip() {
  for (; At < Text.size(); ++At) {
    if (Comment && Text[At] == Comment) {
      At = Text.find('\n', At);
      if (At == std::string::npos) {
        At = Text.size();
        return;
      }
    }
    if (!isSpace(Text[At]))
      return;
    Line += Text[At] == '\n';
  }
}

bool Scanner::atEnd() {
  skip();
  return At >= Text.size();
}

char Scanner::peek() {
  skip();
  return At < Text.size() ? Text[At] : '\0';
}

bool Scanner::take(const std::string &Sign) {
  skip();
  if (Text.compare(At, Sign.size(), Sign) != 0)
    return false;
  At += Sign.size();
  return true;
}

std::string Scanner::peekName() {
  skip();
  size_t End = At;
  while (End < Text.size() && isNameChar(Text[End]) &&
         (!Comment || Text[End] != Comment))
    ++End;
  return Text.substr(At, End - At);
}

std::string Scanner::name() {
  std::string Name = peekName();
  At += Name.size();
  return Name;
}

bool Scanner::isNumber() { return isDigit(peek()); }

Tokens Scanner::number(const char *What) {
  if (!isNumber())
    fail(std::string("expected ") + What + ", a number, but found " + here());
  uint64_t Value = 0;
  for (; At < Text.size() && isDigit(Text[At]); ++At) {
    Value = Value * 10 + (Text[At] - '0');
    if (Value > MaxTokens)
      fail(std::string(What) + " is larger than " + std::to_string(MaxTokens) +
           "; use smaller numbers");
  }
  return static_cast<Tokens>(Value);
}

std::string Scanner::quoted() {
  if (!take("\""))
    fail("expected a name in double quotes, but found " + here());
  const size_t End = Text.find_first_of("\"\n", At);
  if (End == std::string::npos || Text[End] == '\n')
    fail("the name is not ended by a double quote in its line; add one");
  std::string Name = Text.substr(At, End - At);
  At = End + 1;
  return Name;
}

std::string Scanner::line() {
  const size_t End = std::min(Text.find('\n', At), Text.size());
  std::string Rest = Text.substr(At, End - At);
  At = End;
  return Rest;
}

std::string Scanner::here() {
  if (atEnd())
    return "the end of the file";
  const std::string Word = peekName();
  return "'" +
         Printable(Word.empty() ? Text.substr(At, 1) : Word.substr(0, 40)) +
         "'";
}

} // namespace atsan::net
