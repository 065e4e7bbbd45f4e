//===- Parser.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Parser.h"
#include "lib/model/TokenStream.h"
#include <array>

using namespace atsan::model;

namespace {

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

} // namespace

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
  } else {
    assignmentOrCall(S);
  }
}

Expr Parser::inParentheses(const std::string &Hint) {
  In.expect("(", Hint);
  Expr E = expression();
  In.expect(")", "close the parenthesis");
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
          "variables that all threads use, locks, procedures and threads are "
          "declared outside");
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

namespace {

struct BinaryOperator {
  const char *Text;
  Operator Op;
  size_t Level; ///< The higher, the tighter it binds.
};

constexpr std::array<BinaryOperator, 13> BinaryOperators = {{
    {"||", Operator::Or, 0},
    {"&&", Operator::And, 1},
    {"==", Operator::Equal, 2},
    {"!=", Operator::NotEqual, 2},
    {"<=", Operator::LessEqual, 2},
    {">=", Operator::GreaterEqual, 2},
    {"<", Operator::Less, 2},
    {">", Operator::Greater, 2},
    {"+", Operator::Plus, 3},
    {"-", Operator::Minus, 3},
    {"*", Operator::Times, 4},
    {"/", Operator::Divide, 4},
    {"%", Operator::Modulo, 4},
}};
constexpr size_t LevelOfComparisons = 2;
constexpr size_t LevelOfUnary = 5;

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
    Whole.Op = B->Op;
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

Model atsan::model::parse(std::string_view Text) {
  return Parser(Text).parse();
}
