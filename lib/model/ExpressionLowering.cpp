//===- ExpressionLowering.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions: each read of a global variable becomes an edge, from left to
// right; what is left is a formula over locals.
//
//===----------------------------------------------------------------------===//

#include "lib/model/BodyLowering.h"
#include <algorithm>

using namespace atsan::model;

namespace {

[[noreturn]] void failType(Position At, bool IsBool) {
  if (IsBool)
    throw ModelError(At, "there should be a truth value here",
                     "compare numbers, such as x != 0");
  throw ModelError(At, "there should be a number here",
                   "truth values are true, false and comparisons");
}

bool isLogical(const Expr &E) {
  return E.Is == Expr::Kind::Binary &&
         (E.Op == Operator::And || E.Op == Operator::Or);
}

} // namespace

Formula BodyLowering::ofType(const Expr &E, bool IsBool) {
  Typed T = expression(E);
  if (T.IsBool != IsBool)
    failType(E.At, IsBool);
  return std::move(T.What);
}

Formula BodyLowering::number(const Expr &E) { return ofType(E, false); }
Formula BodyLowering::truth(const Expr &E) { return ofType(E, true); }

bool BodyLowering::hasStep(const Expr &E) const {
  if (E.Is == Expr::Kind::Cas || E.Is == Expr::Kind::Call)
    return true;
  if (E.Is == Expr::Kind::Name || E.Is == Expr::Kind::Element)
    if (const Symbol *S = Known.find(E.Name);
        S && S->Is == Symbol::Kind::Variable)
      return true;
  return std::any_of(E.Parts.begin(), E.Parts.end(),
                     [&](const Expr &Part) { return hasStep(Part); });
}

BodyLowering::Typed BodyLowering::expression(const Expr &E) {
  switch (E.Is) {
  case Expr::Kind::Number:
    return {Formula::number(static_cast<Value>(E.Value)), false};
  case Expr::Kind::True:
  case Expr::Kind::False:
    return {Formula::number(E.Is == Expr::Kind::True), true};
  case Expr::Kind::Name:
  case Expr::Kind::Element:
    return variable(E);
  case Expr::Kind::Self:
    return {self(E), false};
  case Expr::Kind::Cas:
    return cas(E);
  case Expr::Kind::Not:
    return {Formula::negated(truth(E.Parts[0])), true};
  case Expr::Kind::Negate:
    return {Formula::minus(number(E.Parts[0])), false};
  case Expr::Kind::Binary:
    return isLogical(E) && hasStep(E.Parts[1]) ? shortCircuit(E) : binary(E);
  case Expr::Kind::Choose:
  case Expr::Kind::ChooseRange:
    throw ModelError(E.At, "choose is no part of an expression",
                     "write x := choose; or if (choose) { ... }");
  case Expr::Kind::Call:
    throw ModelError(E.At, "a call is no part of an expression",
                     "assign it to a variable before: x := f(...);");
  }
  return {};
}

Formula BodyLowering::self(const Expr &E) {
  if (!Replicas)
    throw ModelError(E.At, "self has no value where threads have no number",
                     "write thread T[N] with a number of threads");
  if (!To.Self) {
    Range Of;
    Of.High = static_cast<Value>(Replicas) - 1;
    To.Self = Out.allocate("self", Of, 1, E.At);
    Out.keepLast();
  }
  return Formula::local(*To.Self);
}

BodyLowering::Typed BodyLowering::binary(const Expr &E) {
  Typed A = expression(E.Parts[0]);
  Typed B = expression(E.Parts[1]);
  const bool IsEquality = E.Op == Operator::Equal || E.Op == Operator::NotEqual;
  const bool WantsBool = IsEquality ? A.IsBool : isLogical(E);
  if (A.IsBool != WantsBool)
    failType(E.Parts[0].At, WantsBool);
  if (B.IsBool != WantsBool)
    failType(E.Parts[1].At, WantsBool);
  const bool IsNumber = E.Op >= Operator::Plus;
  return {Formula::binary(E.Op, std::move(A.What), B.What), !IsNumber};
}

// The right side is read only if the left one does not decide.
BodyLowering::Typed BodyLowering::shortCircuit(const Expr &E) {
  const Range Truth = {0, 1, true};
  const uint32_t Result = temporary(Truth, E.At);
  set(local(Result), truth(E.Parts[0]), E.At);
  const uint32_t More = Out.addNode(E.At), Done = Out.addNode(E.At);
  const bool IsAnd = E.Op == Operator::And;
  branchOn(Formula::local(Result), E.At, IsAnd ? More : Done,
           IsAnd ? Done : More);
  Out.goTo(More);
  set(local(Result), truth(E.Parts[1]), E.At);
  Out.skipTo(Done, E.At);
  Out.goTo(Done);
  return {Formula::local(Result), true};
}

Formula BodyLowering::index(const Expr &E, const Symbol &S) {
  if (S.IsArray != (E.Is == Expr::Kind::Element))
    throw ModelError(
        E.At, "'" + E.Name + "' is " + (S.IsArray ? "an" : "no") + " array",
        S.IsArray ? "write " + E.Name + "[0]" : "leave the index out");
  return S.IsArray ? number(E.Parts[0]) : Formula();
}

Place BodyLowering::place(const Expr &E, const Symbol &S) {
  Place Result;
  Result.Index = index(E, S);
  Result.First = S.First;
  Result.Count = S.Count;
  if (Result.Index.empty())
    return Result;
  if (const auto At = Result.Index.constant()) {
    if (*At < 0 || *At >= static_cast<Value>(S.Count))
      throw ModelError(E.At,
                       "'" + E.Name + "' has no element " + std::to_string(*At),
                       "its elements are 0 to " + std::to_string(S.Count - 1));
    Result.First += *At;
    Result.Count = 1;
    Result.Index = Formula();
  }
  return Result;
}

BodyLowering::Typed BodyLowering::variable(const Expr &E) {
  const Symbol S = Known.get(E.Name, E.At);
  switch (S.Is) {
  case Symbol::Kind::Constant:
    index(E, S);
    return {Formula::number(S.Number), false};
  case Symbol::Kind::Local: {
    Formula At = index(E, S);
    return {At.empty() ? Formula::local(S.First)
                       : Formula::element(S.First, S.Count, std::move(At)),
            S.Of.IsBool};
  }
  case Symbol::Kind::Variable: {
    Edge Read = edge(Edge::Kind::Read, E.At);
    Read.Where = place(E, S);
    Read.IsOfAssume = IsInAssume;
    const uint32_t Result = temporary(S.Of, E.At);
    Read.Target = local(Result);
    Out.add(std::move(Read));
    return {Formula::local(Result), S.Of.IsBool};
  }
  default:
    throw ModelError(
        E.At, "'" + E.Name + "' is " + kindName(S.Is) + ", which has no value",
        "use a variable");
  }
}

BodyLowering::Typed BodyLowering::cas(const Expr &E) {
  const Expr &Where = E.Parts[0];
  const bool IsName =
      Where.Is == Expr::Kind::Name || Where.Is == Expr::Kind::Element;
  const Symbol *S = IsName ? &Known.get(Where.Name, Where.At) : nullptr;
  if (!S || S->Is != Symbol::Kind::Variable)
    throw ModelError(Where.At, "cas works on a global variable",
                     "write cas(variable, old, new)");
  if (P.Variables[S->First].Is == Storage::Safe ||
      P.Variables[S->First].Is == Storage::Regular)
    throw ModelError(Where.At, "a safe or regular register has no cas",
                     "declare it without safe or regular");
  const Symbol Of = *S;
  Edge Swap = edge(Edge::Kind::Cas, E.At);
  Swap.Where = place(Where, Of);
  Swap.What = ofType(E.Parts[1], Of.Of.IsBool);
  Swap.Second = ofType(E.Parts[2], Of.Of.IsBool);
  const uint32_t Result = temporary({0, 1, true}, E.At);
  Swap.Target = local(Result);
  Swap.IsOfAssume = IsInAssume;
  Out.add(std::move(Swap));
  return {Formula::local(Result), true};
}

void BodyLowering::branchOn(Formula F, Position At, uint32_t IfTrue,
                            uint32_t IfFalse) {
  if (const auto V = F.constant()) {
    Out.skipTo(*V ? IfTrue : IfFalse, At);
    return;
  }
  Edge Yes = edge(Edge::Kind::Test, At), No = edge(Edge::Kind::Test, At);
  Yes.What = F;
  No.What = Formula::negated(std::move(F));
  Out.addTo(std::move(Yes), IfTrue);
  Out.addTo(std::move(No), IfFalse);
}

void BodyLowering::branch(const Expr &E, uint32_t IfTrue, uint32_t IfFalse) {
  if (E.Is == Expr::Kind::Choose) {
    Out.skipTo(IfTrue, E.At);
    Out.skipTo(IfFalse, E.At);
    return;
  }
  if (E.Is == Expr::Kind::Not)
    return branch(E.Parts[0], IfFalse, IfTrue);
  if (isLogical(E) && hasStep(E.Parts[1])) {
    const uint32_t More = Out.addNode(E.At);
    const bool IsAnd = E.Op == Operator::And;
    branch(E.Parts[0], IsAnd ? More : IfTrue, IsAnd ? IfFalse : More);
    Out.goTo(More);
    return branch(E.Parts[1], IfTrue, IfFalse);
  }
  const size_t Mark = Out.mark();
  branchOn(truth(E), E.At, IfTrue, IfFalse);
  Out.release(Mark);
}

const Top &BodyLowering::procedureOf(const Expr &Call) const {
  const Symbol &S = Known.get(Call.Name, Call.At);
  if (S.Is != Symbol::Kind::Procedure)
    throw ModelError(Call.At,
                     "'" + Call.Name + "' is " + kindName(S.Is) +
                         ", which cannot be called",
                     "declare proc " + Call.Name + "(...) { ... }");
  if (S.Definition->Parameters.size() != Call.Parts.size())
    throw ModelError(Call.At,
                     "'" + Call.Name + "' takes " +
                         std::to_string(S.Definition->Parameters.size()) +
                         (S.Definition->Parameters.size() == 1 ? " argument"
                                                               : " arguments") +
                         ", but is called with " +
                         std::to_string(Call.Parts.size()),
                     "give one for each parameter");
  return *S.Definition;
}

BodyLowering::Typed BodyLowering::call(const Expr &E) {
  const Top &Code = procedureOf(E);
  if (In.How == Calls::Expand && !IsAlone)
    return expand(E, Code);
  for (size_t I = 0; I < E.Parts.size(); ++I)
    ofType(E.Parts[I], Code.Parameters[I].Of.IsBool);
  Edge Call = edge(Edge::Kind::Call, E.At);
  Call.Number = Known.get(E.Name, E.At).First;
  Out.add(std::move(Call));
  if (!Code.Result)
    return {};
  const Range Of = Known.range(*Code.Result);
  Edge Any = edge(Edge::Kind::Choose, E.At);
  Any.Target = local(temporary(Of, E.At));
  Any.What = Formula::number(Of.Low);
  Any.Second = Formula::number(Of.High);
  const Formula Result = Formula::local(Any.Target.First);
  Out.add(std::move(Any));
  return {Result, Of.IsBool};
}

void BodyLowering::addParameters(const Top &Code, std::vector<Typed> *Arguments,
                                 Position At) {
  for (size_t I = 0; I < Code.Parameters.size(); ++I) {
    const Parameter &Of = Code.Parameters[I];
    Symbol S;
    S.Is = Symbol::Kind::Local;
    S.Of = Known.range(Of.Of);
    S.At = Of.At;
    S.First = Out.allocate(Of.Name, S.Of, 1, Of.At);
    Known.add(Of.Name, S);
    if (Arguments)
      set(local(S.First), std::move((*Arguments)[I].What), At);
  }
}

BodyLowering::Typed BodyLowering::expand(const Expr &E, const Top &Code) {
  if (CallDepth == MaxCallDepth)
    throw ModelError(E.At,
                     "calls are nested more than " +
                         std::to_string(MaxCallDepth) + " deep",
                     "make the chain of calls shorter");
  std::vector<Typed> Arguments;
  Arguments.reserve(E.Parts.size());
  for (size_t I = 0; I < E.Parts.size(); ++I)
    Arguments.push_back(
        {ofType(E.Parts[I], Code.Parameters[I].Of.IsBool), false});
  Frame F;
  F.Is = Frame::Kind::Procedure;
  F.Code = &Code;
  F.Exit = Out.addNode(E.At);
  F.Regions = OpenRegions.size();
  Typed Result;
  if (Code.Result) {
    F.HasResult = true;
    F.ResultOf = Known.range(*Code.Result);
    F.Result = temporary(F.ResultOf, E.At);
    Result = {Formula::local(F.Result), F.ResultOf.IsBool};
  }
  auto Hidden = Known.hideInner();
  Known.enter();
  const size_t Mark = Out.mark();
  addParameters(Code, &Arguments, E.At);
  Frames.push_back(F);
  ++CallDepth;
  const uint32_t Begin = Out.here();
  block(Code.Body);
  if (Code.Result)
    requireResult(Begin, Code.Body.End, "procedure");
  --CallDepth;
  Frames.pop_back();
  Out.release(Mark);
  Known.restoreInner(std::move(Hidden));
  Out.skipTo(F.Exit, Code.Body.End);
  Out.goTo(F.Exit);
  return Result;
}
