//===- Printer.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Printer.h"
#include "lib/model/Operators.h"

using namespace atsan::model;

namespace {

std::string listText(const std::vector<Expr> &All) {
  std::string Text;
  for (const Expr &E : All)
    Text += (Text.empty() ? "" : ", ") + print(E);
  return Text;
}

// The expression, in parentheses if it binds less tightly than the level wants.
std::string exprText(const Expr &E, size_t Level) {
  switch (E.Is) {
  case Expr::Kind::Number:
    return std::to_string(E.Value);
  case Expr::Kind::True:
    return "true";
  case Expr::Kind::False:
    return "false";
  case Expr::Kind::Self:
    return "self";
  case Expr::Kind::Name:
    return E.Name;
  case Expr::Kind::Element:
    return E.Name + "[" + print(E.Parts[0]) + "]";
  case Expr::Kind::Call:
    return E.Name + "(" + listText(E.Parts) + ")";
  case Expr::Kind::Cas:
    return "cas(" + listText(E.Parts) + ")";
  case Expr::Kind::Choose:
    return "choose";
  case Expr::Kind::ChooseRange:
    return "choose(" + print(E.Parts[0]) + ".." + print(E.Parts[1]) + ")";
  case Expr::Kind::Not:
    return "!" + exprText(E.Parts[0], LevelOfUnary);
  case Expr::Kind::Negate:
    return "-" + exprText(E.Parts[0], LevelOfUnary);
  case Expr::Kind::Binary:
    break;
  }
  const BinaryOperator &B = BinaryOperators[size_t(E.Op)];
  const bool Chains = B.Level != LevelOfComparisons;
  const std::string Text =
      exprText(E.Parts[0], Chains ? B.Level : B.Level + 1) + " " + B.Text +
      " " + exprText(E.Parts[1], B.Level + 1);
  return B.Level < Level ? "(" + Text + ")" : Text;
}

class Printer {
public:
  std::string text(const Model &M);

private:
  void top(const Top &T);
  void procedure(const Top &T);
  void thread(const Top &T);
  void declaration(const Declaration &D);
  void items(const Declaration &D);
  void statement(const Stmt &S);
  void region(const Stmt &S);
  void operation(const Stmt &S);
  void conditional(const Stmt &S);
  void otherwise(const Block &Else);
  void alternatives(const Stmt &S);
  void block(const Block &B);
  void inside(const Block &B);
  void lines(const std::vector<Comment> &All);
  void before(const Comments &Around);
  void behind(const Comments &Around);
  void blank();
  void indent() { Out.append(2 * Depth, ' '); }

  std::string Out;
  size_t Depth = 0;
};

std::string typeText(const Type &T) {
  if (T.IsBool)
    return "bool";
  if (!T.Range)
    return "int";
  return "int[" + print((*T.Range)[0]) + ".." + print((*T.Range)[1]) + "]";
}

} // namespace

std::string atsan::model::print(const Expr &E) { return exprText(E, 0); }

std::string Printer::text(const Model &M) {
  for (const Top &T : M.Tops)
    top(T);
  lines(M.Last);
  return std::move(Out);
}

// An empty line, but not at the begin of the text or of a block.
void Printer::blank() {
  const size_t Size = Out.size();
  if (Size < 2 || Out[Size - 2] == '\n')
    return;
  const size_t Line = Out.rfind('\n', Size - 2) + 1;
  const std::string Last = Out.substr(Line, Size - 1 - Line);
  const bool IsComment = Last.find("//") != Last.npos;
  const bool Opens =
      !IsComment && (Last.back() == '{' || Last.find("begin") != Last.npos);
  if (!Opens)
    Out += '\n';
}

void Printer::lines(const std::vector<Comment> &All) {
  for (const Comment &C : All) {
    if (C.BlankBefore)
      blank();
    indent();
    Out += C.Text + '\n';
  }
}

void Printer::before(const Comments &Around) {
  lines(Around.Before);
  if (Around.BlankBefore)
    blank();
  indent();
}

void Printer::behind(const Comments &Around) {
  if (!Around.Behind.empty())
    Out += " " + Around.Behind;
  Out += '\n';
}

void Printer::items(const Declaration &D) {
  for (const Item &I : D.Items) {
    if (&I != &D.Items.front())
      Out += ", ";
    Out += I.Name;
    if (!I.Size.empty())
      Out += "[" + print(I.Size[0]) + "]";
    if (I.Initial.empty())
      continue;
    Out += " = ";
    Out += I.HasList ? "{" + listText(I.Initial) + "}" : print(I.Initial[0]);
  }
  Out += ';';
}

void Printer::declaration(const Declaration &D) {
  switch (D.Is) {
  case Storage::Data:
    Out += D.SaysAtomic ? "atomic " : "";
    break;
  case Storage::Sync:
    Out += "sync ";
    break;
  case Storage::Safe:
    Out += "safe ";
    break;
  case Storage::Regular:
    Out += "regular ";
    break;
  }
  Out += typeText(D.Of) + " ";
  items(D);
}

void Printer::procedure(const Top &T) {
  Out += "proc ";
  if (T.Result)
    Out += typeText(*T.Result) + " ";
  Out += T.Name + "(";
  for (const Parameter &P : T.Parameters)
    Out += (&P == &T.Parameters.front() ? "" : ", ") + typeText(P.Of) + " " +
           P.Name;
  Out += ") ";
  block(T.Body);
}

void Printer::thread(const Top &T) {
  Out += "thread " + T.Name;
  if (T.IsAnyNumber)
    Out += "[*]";
  else if (!T.Count.empty())
    Out += "[" + print(T.Count[0]) + "]";
  Out += " ";
  block(T.Body);
}

void Printer::top(const Top &T) {
  before(T.Around);
  switch (T.Is) {
  case Top::Kind::Constant:
    Out += "const ";
    items(T.Vars);
    break;
  case Top::Kind::Variable:
    declaration(T.Vars);
    break;
  case Top::Kind::Lock:
    Out += "lock ";
    items(T.Vars);
    break;
  case Top::Kind::Register:
    Out += "register " + typeText(T.Vars.Of) + " ";
    items(T.Vars);
    break;
  case Top::Kind::Procedure:
    procedure(T);
    break;
  case Top::Kind::Thread:
    thread(T);
    break;
  }
  behind(T.Around);
}

void Printer::inside(const Block &B) {
  Out += '\n';
  ++Depth;
  for (const Stmt &S : B.Body)
    statement(S);
  lines(B.Last);
  --Depth;
  indent();
}

void Printer::block(const Block &B) {
  if (B.Body.empty() && B.Last.empty()) {
    Out += "{}";
    return;
  }
  Out += '{';
  inside(B);
  Out += '}';
}

void Printer::region(const Stmt &S) {
  Out += S.HasBegin ? "begin" : "atomic";
  if (!S.Name.empty())
    Out += " \"" + S.Name + "\"";
  if (S.HasBegin) {
    inside(S.Blocks[0]);
    Out += "end";
  } else {
    Out += ' ';
    block(S.Blocks[0]);
  }
}

void Printer::operation(const Stmt &S) {
  Out +=
      "operation " + S.Name + "." + S.Method + "(" + listText(S.Parts) + ") ";
  block(S.Blocks[0]);
}

void Printer::otherwise(const Block &Else) {
  Out += " else ";
  const bool IsIf = Else.Body.size() == 1 &&
                    Else.Body[0].Is == Stmt::Kind::If && Else.Last.empty();
  const Comments *Around = IsIf ? &Else.Body[0].Around : nullptr;
  if (Around && Around->Before.empty() && Around->Behind.empty())
    conditional(Else.Body[0]);
  else
    block(Else);
}

void Printer::conditional(const Stmt &S) {
  Out += S.Is == Stmt::Kind::If ? "if (" : "while (";
  Out += print(S.Parts[0]) + ") ";
  block(S.Blocks[0]);
  if (S.Blocks.size() > 1)
    otherwise(S.Blocks[1]);
}

void Printer::alternatives(const Stmt &S) {
  for (const Block &B : S.Blocks) {
    Out += &B == &S.Blocks.front() ? "choose " : " or ";
    block(B);
  }
}

void Printer::statement(const Stmt &S) {
  before(S.Around);
  switch (S.Is) {
  case Stmt::Kind::Block:
    block(S.Blocks[0]);
    break;
  case Stmt::Kind::Declare:
    declaration(S.Declared);
    break;
  case Stmt::Kind::Assign:
    Out += print(S.Parts[0]) + " := " + print(S.Parts[1]) + ";";
    break;
  case Stmt::Kind::Do:
    Out += print(S.Parts[0]) + ";";
    break;
  case Stmt::Kind::If:
  case Stmt::Kind::While:
    conditional(S);
    break;
  case Stmt::Kind::Choose:
    alternatives(S);
    break;
  case Stmt::Kind::Region:
    region(S);
    break;
  case Stmt::Kind::Step:
    Out += "step ";
    block(S.Blocks[0]);
    break;
  case Stmt::Kind::Operation:
    operation(S);
    break;
  case Stmt::Kind::Acquire:
    Out += "acquire(" + print(S.Parts[0]) + ");";
    break;
  case Stmt::Kind::Release:
    Out += "release(" + print(S.Parts[0]) + ");";
    break;
  case Stmt::Kind::Assume:
    Out += "assume(" + print(S.Parts[0]) + ");";
    break;
  case Stmt::Kind::Assert:
    Out += "assert(" + print(S.Parts[0]) + ");";
    break;
  case Stmt::Kind::Skip:
    Out += "skip;";
    break;
  case Stmt::Kind::Break:
    Out += "break;";
    break;
  case Stmt::Kind::Continue:
    Out += "continue;";
    break;
  case Stmt::Kind::Return:
    Out += S.Parts.empty() ? "return;" : "return " + print(S.Parts[0]) + ";";
    break;
  case Stmt::Kind::Restart:
    Out += "restart;";
    break;
  }
  behind(S.Around);
}

std::string atsan::model::print(const Model &M) { return Printer().text(M); }
