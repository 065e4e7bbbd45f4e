//===- ModelParser.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of the parser have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_MODELPARSER_H
#define ATSAN_MODEL_MODELPARSER_H

#include "lib/model/Parser.h"
#include "lib/model/TokenStream.h"
#include <string_view>

namespace atsan::model {

/// Recursive descent: declarations in Parser.cpp, statements in
/// StatementParser.cpp, expressions in ExpressionParser.cpp.
class Parser {
public:
  explicit Parser(std::string_view Text) : In(Text) {}
  Model parse();

private:
  /// Counts how deep the parser is in itself, since its stack has an end.
  class Nested {
  public:
    explicit Nested(Parser &P) : P(P) {
      if (++P.Depth > MaxNesting)
        P.In.fail("this is nested more than " + std::to_string(MaxNesting) +
                      " deep",
                  "take some of it out into a procedure or a variable");
    }
    ~Nested() { --P.Depth; }
    Nested(const Nested &) = delete;
    Nested &operator=(const Nested &) = delete;

  private:
    Parser &P;
  };

  Top top();
  void constant(Top &T);
  void variables(Declaration &D);
  void locks(Top &T);
  void abstractRegister(Top &T);
  void procedure(Top &T);
  void thread(Top &T);
  Item item(const std::string &What);
  void initial(Item &I);
  bool isType() const { return In.is("bool") || In.is("int"); }
  Type type();
  std::vector<Expr> index();

  Block block();
  Block blockUntilEnd();
  Stmt statement();
  void statementBody(Stmt &S);
  void keywordStatement(Stmt &S);
  void conditional(Stmt &S);
  void alternatives(Stmt &S);
  void region(Stmt &S);
  void operation(Stmt &S);
  void assignmentOrCall(Stmt &S);
  Expr inParentheses(const std::string &Hint);
  void semicolon() { In.expect(";", "a statement ends with ;"); }

  Expr expression() { return binary(0); }
  Expr binary(size_t Level);
  Expr unary();
  Expr primary();
  Expr name();
  Expr cas();
  Expr choice();
  std::vector<Expr> arguments();

  TokenStream In;
  unsigned Depth = 0;
};

} // namespace atsan::model

#endif // ATSAN_MODEL_MODELPARSER_H
