//===- ExpressionParser.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions.
//
//===----------------------------------------------------------------------===//

#include "lib/model/ModelParser.h"
#include "lib/model/Operators.h"

using namespace atsan::model;

namespace {

const BinaryOperator *operatorAt(const TokenStream &In, size_t Level) {
  for (const BinaryOperator &B : BinaryOperators)
    if (B.Level == Level && In.is(B.Text))
      return &B;
  return nullptr;
}

} // namespace

Expr Parser::binary(size_t Level) {
  if (Level == LevelOfUnary)
    return unary();
  Expr Left = binary(Level + 1);
  for (unsigned Length = 0; const BinaryOperator *B = operatorAt(In, Level);
       ++Length) {
    if (Level == LevelOfComparisons && Length)
      In.fail("comparisons cannot be chained", "write a < b && b < c");
    // A chain nests to the left.
    if (Length == MaxNesting)
      In.fail("this expression is too long",
              "compute parts of it into variables before");
    Expr Whole;
    Whole.Is = Expr::Kind::Binary;
    Whole.Op = Operator(B - BinaryOperators.data());
    Whole.At = In.take().At;
    Whole.Parts.push_back(std::move(Left));
    Whole.Parts.push_back(binary(Level + 1));
    Left = std::move(Whole);
  }
  return Left;
}

Expr Parser::unary() {
  const Nested Here(*this);
  if (!In.is("!") && !In.is("-"))
    return primary();
  Expr E;
  E.Is = In.is("!") ? Expr::Kind::Not : Expr::Kind::Negate;
  E.At = In.take().At;
  E.Parts.push_back(unary());
  return E;
}

Expr Parser::primary() {
  Expr E;
  E.At = In.peek().At;
  if (In.peek().Is == Token::Kind::Number) {
    E.Value = In.take().Value;
    return E;
  }
  if (In.takeIf("(")) {
    E = expression();
    In.expect(")", "close the parenthesis");
    return E;
  }
  struct Word {
    const char *Text;
    Expr::Kind Is;
  };
  for (const Word &W :
       {Word{"true", Expr::Kind::True}, Word{"false", Expr::Kind::False},
        Word{"self", Expr::Kind::Self}})
    if (In.takeIf(W.Text)) {
      E.Is = W.Is;
      return E;
    }
  if (In.is("cas"))
    return cas();
  if (In.is("choose"))
    return choice();
  if (In.peek().Is != Token::Kind::Name)
    In.fail("there should be an expression in place of " + In.found(),
            "write a number, a name, cas(x, old, new), or an expression in "
            "parentheses");
  return name();
}

Expr Parser::name() {
  Expr E;
  E.Is = Expr::Kind::Name;
  E.At = In.peek().At;
  E.Name = In.expectName("a variable");
  if (In.is("(")) {
    E.Is = Expr::Kind::Call;
    E.Parts = arguments();
  } else if (In.is("[")) {
    E.Is = Expr::Kind::Element;
    E.Parts = index();
  }
  return E;
}

Expr Parser::cas() {
  Expr E;
  E.Is = Expr::Kind::Cas;
  E.At = In.take().At;
  E.Parts = arguments();
  if (E.Parts.size() != 3)
    throw ModelError(E.At, "cas takes three arguments",
                     "write cas(variable, old, new)");
  return E;
}

Expr Parser::choice() {
  Expr E;
  E.Is = Expr::Kind::Choose;
  E.At = In.take().At;
  if (!In.takeIf("("))
    return E;
  E.Is = Expr::Kind::ChooseRange;
  E.Parts.push_back(expression());
  In.expect("..", "write choose(0..3)");
  E.Parts.push_back(expression());
  In.expect(")", "write choose(0..3)");
  return E;
}

std::vector<Expr> Parser::arguments() {
  std::vector<Expr> All;
  In.expect("(", "arguments stand in parentheses");
  if (In.takeIf(")"))
    return All;
  do
    All.push_back(expression());
  while (In.takeIf(","));
  In.expect(")", "close the parenthesis behind the arguments");
  return All;
}
