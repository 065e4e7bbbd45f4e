//===- Scanner.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text as words, numbers and signs, with line numbers: what the readers of
// `.spec` and `.ll_net` share.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_SCANNER_H
#define ATSAN_NET_SCANNER_H

#include "lib/base/Printable.h"
#include "lib/net/Net.h"

namespace atsan::net {

using atsan_text::Printable;

class Scanner {
public:
  /// \p Comment begins a comment that ends with the line; 0: there are none.
  Scanner(const std::string &Text, const std::string &File, char Comment)
      : Text(Text), File(File), Comment(Comment) {}

  /// Throws NetError for the line where we are: "file:3: message".
  [[noreturn]] void fail(const std::string &Message) const;

  /// Passes white space, with ends of lines, and comments.
  void skip();
  bool atEnd();
  /// The next character that is not white space; 0 at the end.
  char peek();
  /// Takes \p Sign if it is next.
  bool take(const std::string &Sign);
  /// Takes letters, digits and what mist and PEP allow in names; empty if there
  /// is no name.
  std::string name();
  /// A name that is not taken yet.
  std::string peekName();
  /// Takes digits. \p What is "a weight", for the message.
  Tokens number(const char *What);
  bool isNumber();
  /// Takes a text in double quotes.
  std::string quoted();
  /// Takes the rest of the line.
  std::string line();

  /// What stands here, for messages.
  std::string here();

private:
  const std::string &Text;
  std::string File;
  char Comment;
  size_t At = 0;
  size_t Line = 1;
};

} // namespace atsan::net

#endif
