//===- StatementParser.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements.
//
//===----------------------------------------------------------------------===//

#include "lib/model/ModelParser.h"

using namespace atsan::model;

Block Parser::block() {
  Block B;
  const Position Begin = In.expect("{", "statements stand between { and }");
  while (!In.is("}")) {
    if (In.isAtEnd())
      throw ModelError(Begin, "this { has no }", "add } where it ends");
    B.Body.push_back(statement());
  }
  B.Last = In.takeComments();
  B.End = In.peek().At;
  In.take();
  return B;
}

Block Parser::blockUntilEnd() {
  Block B;
  const Position Begin = In.peek().At;
  while (!In.is("end")) {
    if (In.isAtEnd() || In.is("}"))
      throw ModelError(Begin, "this begin has no end", "add end");
    B.Body.push_back(statement());
  }
  B.Last = In.takeComments();
  B.End = In.peek().At;
  In.take();
  return B;
}

Stmt Parser::statement() {
  const Nested Here(*this);
  Stmt S;
  S.Around = In.begin();
  S.At = In.peek().At;
  statementBody(S);
  In.end(S.Around);
  return S;
}

void Parser::statementBody(Stmt &S) {
  if (In.is("{")) {
    S.Is = Stmt::Kind::Block;
    S.Blocks.push_back(block());
  } else if (isType()) {
    S.Is = Stmt::Kind::Declare;
    variables(S.Declared);
  } else if (In.is("if") || In.is("while")) {
    conditional(S);
  } else if (In.is("choose")) {
    alternatives(S);
  } else if (In.is("atomic") || In.is("begin")) {
    region(S);
  } else if (In.takeIf("step")) {
    S.Is = Stmt::Kind::Step;
    S.Blocks.push_back(block());
  } else if (In.takeIf("operation")) {
    operation(S);
  } else if (In.peek().Is == Token::Kind::Name && isKeyword(In.peek().Text)) {
    keywordStatement(S);
  } else if ((In.is("for") && In.is("(", 1) &&
              (In.is(";", 2) || In.is("int", 2))) ||
             (In.is("do") && In.is("{", 1))) {
    In.fail(In.found() + " is no statement", "write while (...) { ... }");
  } else {
    assignmentOrCall(S);
  }
}

Expr Parser::inParentheses(const std::string &Hint) {
  In.expect("(", Hint);
  Expr E = expression();
  In.expect(")", In.is("=") ? "write == to compare, and := to assign"
                            : "close the parenthesis");
  return E;
}

void Parser::keywordStatement(Stmt &S) {
  using Kind = Stmt::Kind;
  struct Simple {
    const char *Word;
    Kind Is;
    bool HasPart;
  };
  static constexpr Simple All[] = {
      {"acquire", Kind::Acquire, true},    {"release", Kind::Release, true},
      {"assume", Kind::Assume, true},      {"assert", Kind::Assert, true},
      {"skip", Kind::Skip, false},         {"break", Kind::Break, false},
      {"continue", Kind::Continue, false}, {"restart", Kind::Restart, false}};
  for (const Simple &Known : All)
    if (In.takeIf(Known.Word)) {
      S.Is = Known.Is;
      if (Known.HasPart)
        S.Parts.push_back(
            inParentheses(std::string("write ") + Known.Word + "(...);"));
      semicolon();
      return;
    }
  if (In.takeIf("return")) {
    S.Is = Kind::Return;
    if (!In.is(";"))
      S.Parts.push_back(expression());
    semicolon();
    return;
  }
  if (In.is("cas"))
    return assignmentOrCall(S);
  if (In.is("else") || In.is("or"))
    In.fail(In.found() + " has nothing to belong to",
            "write it right behind the } of an if or a choose");
  if (In.is("end"))
    In.fail("this end has no begin", "remove it, or add begin");
  In.fail(In.found() + " cannot begin a statement",
          In.is("lock") && In.is("(", 1)
              ? "write acquire(...); and release(...);"
              : "variables that all threads use, locks, procedures and threads "
                "are declared outside");
}

void Parser::conditional(Stmt &S) {
  const bool IsIf = In.take().Text == "if";
  S.Is = IsIf ? Stmt::Kind::If : Stmt::Kind::While;
  S.Parts.push_back(inParentheses("a condition stands in parentheses"));
  S.Blocks.push_back(block());
  if (!IsIf || !In.takeIf("else"))
    return;
  if (!In.is("if")) {
    S.Blocks.push_back(block());
    return;
  }
  Block Else;
  Else.Body.push_back(statement());
  // Both end with one brace.
  S.Around.Behind = std::move(Else.Body[0].Around.Behind);
  Else.Body[0].Around.Behind.clear();
  S.Blocks.push_back(std::move(Else));
}

void Parser::alternatives(Stmt &S) {
  In.take();
  S.Is = Stmt::Kind::Choose;
  if (!In.is("{"))
    In.fail("there should be '{' in place of " + In.found(),
            "write choose { ... } or { ... }, or x := choose;");
  do
    S.Blocks.push_back(block());
  while (In.takeIf("or"));
  if (S.Blocks.size() == 1)
    In.fail("there is nothing to choose from", "add or { ... }");
}

void Parser::region(Stmt &S) {
  S.Is = Stmt::Kind::Region;
  S.HasBegin = In.take().Text == "begin";
  if (In.peek().Is == Token::Kind::String)
    S.Name = std::string(In.take().Text);
  S.Blocks.push_back(S.HasBegin ? blockUntilEnd() : block());
}

void Parser::operation(Stmt &S) {
  const char *Hint = "write operation R.write(v) { ... } or operation R.read() "
                     "{ ... return v; }";
  S.Is = Stmt::Kind::Operation;
  S.Name = In.expectName("a register");
  In.expect(".", Hint);
  if (!In.is("read") && !In.is("write"))
    In.fail(In.found() + " is no operation of a register", Hint);
  S.Method = std::string(In.take().Text);
  S.Parts = arguments();
  S.Blocks.push_back(block());
}

void Parser::assignmentOrCall(Stmt &S) {
  Expr Left = primary();
  if (Left.Is == Expr::Kind::Call || Left.Is == Expr::Kind::Cas) {
    S.Is = Stmt::Kind::Do;
    S.Parts.push_back(std::move(Left));
    return semicolon();
  }
  if (Left.Is != Expr::Kind::Name && Left.Is != Expr::Kind::Element)
    throw ModelError(Left.At, "nothing can be assigned to this",
                     "a statement is x := e;, a call f(...); or begins with a "
                     "word of the language");
  S.Is = Stmt::Kind::Assign;
  S.Parts.push_back(std::move(Left));
  In.expect(":=", "write := to assign, and == to compare");
  S.Parts.push_back(expression());
  semicolon();
}
