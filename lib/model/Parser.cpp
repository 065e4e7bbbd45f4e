//===- Parser.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations.
//
//===----------------------------------------------------------------------===//

#include "lib/model/Parser.h"
#include "lib/model/ModelParser.h"

using namespace atsan::model;

Model Parser::parse() {
  Model M;
  while (!In.isAtEnd())
    M.Tops.push_back(top());
  M.Last = In.takeComments();
  return M;
}

Top Parser::top() {
  Top T;
  T.Around = In.begin();
  T.At = In.peek().At;
  if (In.takeIf("const"))
    constant(T);
  else if (In.takeIf("lock"))
    locks(T);
  else if (In.takeIf("register"))
    abstractRegister(T);
  else if (In.takeIf("proc"))
    procedure(T);
  else if (In.takeIf("thread"))
    thread(T);
  else if (isType() || In.is("atomic") || In.is("sync") || In.is("safe") ||
           In.is("regular"))
    variables(T.Vars);
  else
    In.fail("there should be a declaration in place of " + In.found(),
            "a model consists of const, int, bool, sync, safe, regular, lock, "
            "register, proc and thread; statements stand in threads");
  In.end(T.Around);
  return T;
}

void Parser::constant(Top &T) {
  T.Is = Top::Kind::Constant;
  Item I;
  I.At = In.peek().At;
  I.Name = In.expectName("a constant");
  In.expect("=", "write const NAME = 3;");
  I.Initial.push_back(expression());
  T.Vars.Items.push_back(std::move(I));
  semicolon();
}

void Parser::variables(Declaration &D) {
  if (In.takeIf("sync"))
    D.Is = Storage::Sync;
  else if (In.takeIf("safe"))
    D.Is = Storage::Safe;
  else if (In.takeIf("regular"))
    D.Is = Storage::Regular;
  else
    D.SaysAtomic = In.takeIf("atomic");
  D.Of = type();
  do
    D.Items.push_back(item("a variable"));
  while (In.takeIf(","));
  semicolon();
}

void Parser::locks(Top &T) {
  T.Is = Top::Kind::Lock;
  do {
    T.Vars.Items.push_back(item("a lock"));
    if (!T.Vars.Items.back().Initial.empty())
      throw ModelError(T.Vars.Items.back().At, "a lock has no initial value",
                       "locks are free at first");
  } while (In.takeIf(","));
  semicolon();
}

void Parser::abstractRegister(Top &T) {
  T.Is = Top::Kind::Register;
  T.Vars.Of = type();
  T.Vars.Items.push_back(item("a register"));
  semicolon();
}

void Parser::procedure(Top &T) {
  T.Is = Top::Kind::Procedure;
  if (isType())
    T.Result = type();
  T.Name = In.expectName("a procedure");
  In.expect("(", "write proc NAME(int a, bool b) { ... }");
  if (!In.takeIf(")")) {
    do {
      Parameter P;
      P.Of = type();
      P.At = In.peek().At;
      P.Name = In.expectName("a parameter");
      T.Parameters.push_back(std::move(P));
    } while (In.takeIf(","));
    In.expect(")", "write proc NAME(int a, bool b) { ... }");
  }
  T.Body = block();
}

void Parser::thread(Top &T) {
  T.Is = Top::Kind::Thread;
  T.Name = In.expectName("a thread");
  if (In.takeIf("[")) {
    T.IsAnyNumber = In.takeIf("*");
    if (!T.IsAnyNumber)
      T.Count.push_back(expression());
    In.expect("]", "write thread T[3], or thread T[*] for any number");
  }
  T.Body = block();
}

Item Parser::item(const std::string &What) {
  Item I;
  I.At = In.peek().At;
  I.Name = In.expectName(What);
  I.Size = index();
  if (In.takeIf("="))
    initial(I);
  return I;
}

void Parser::initial(Item &I) {
  I.HasList = In.takeIf("{");
  do
    I.Initial.push_back(expression());
  while (I.HasList && In.takeIf(","));
  if (I.HasList)
    In.expect("}", "write {1, 2, 3}, a value for each element");
}

Type Parser::type() {
  Type T;
  T.At = In.peek().At;
  T.IsBool = In.takeIf("bool");
  if (T.IsBool)
    return T;
  if (!In.takeIf("int"))
    In.fail("there should be a type in place of " + In.found(),
            "types are bool and int[LOWEST..HIGHEST]");
  if (!In.takeIf("["))
    return T;
  std::vector<Expr> Range;
  Range.push_back(expression());
  In.expect("..", "write int[0..3]");
  Range.push_back(expression());
  T.Range = std::move(Range);
  In.expect("]", "write int[0..3]");
  return T;
}

std::vector<Expr> Parser::index() {
  std::vector<Expr> Result;
  if (In.takeIf("[")) {
    Result.push_back(expression());
    In.expect("]", "close the index or size with ]");
  }
  return Result;
}

Model atsan::model::parse(std::string_view Text) {
  return Parser(Text).parse();
}
