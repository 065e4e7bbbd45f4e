//===- Symbols.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Symbols.h"
#include "lib/model/Lower.h"
#include <iterator>

using namespace atsan::model;

const char *atsan::model::kindName(Symbol::Kind K) {
  switch (K) {
  case Symbol::Kind::Constant:
    return "a constant";
  case Symbol::Kind::Variable:
    return "a global variable";
  case Symbol::Kind::Local:
    return "a local variable";
  case Symbol::Kind::Lock:
    return "a lock";
  case Symbol::Kind::Register:
    return "a register";
  case Symbol::Kind::Procedure:
    return "a procedure";
  case Symbol::Kind::Thread:
    return "a thread";
  }
  return "something else";
}

void Symbols::add(const std::string &Name, const Symbol &S) {
  const auto [It, IsNew] = Scopes.back().emplace(Name, S);
  if (!IsNew)
    throw ModelError(S.At,
                     "'" + Name + "' is declared already, in line " +
                         std::to_string(It->second.At.Line),
                     "choose another name");
}

const Symbol *Symbols::find(const std::string &Name) const {
  for (auto Scope = Scopes.rbegin(); Scope != Scopes.rend(); ++Scope)
    if (const auto It = Scope->find(Name); It != Scope->end())
      return &It->second;
  return nullptr;
}

const Symbol &Symbols::get(const std::string &Name, Position At) const {
  if (const Symbol *S = find(Name))
    return *S;
  throw ModelError(At, "'" + Name + "' is not declared",
                   "declare it before it is used: outside of threads if they "
                   "share it, or in the thread");
}

namespace {

bool isArithmetic(const Expr &E) {
  return E.Is == Expr::Kind::Binary &&
         (E.Op == Operator::Plus || E.Op == Operator::Minus ||
          E.Op == Operator::Times || E.Op == Operator::Divide ||
          E.Op == Operator::Modulo);
}

} // namespace

Value Symbols::constant(const Expr &E) const {
  if (E.Is == Expr::Kind::Number)
    return static_cast<Value>(E.Value);
  if (E.Is == Expr::Kind::Name) {
    const Symbol &S = get(E.Name, E.At);
    if (S.Is == Symbol::Kind::Constant)
      return S.Number;
  }
  std::optional<Value> Result;
  if (E.Is == Expr::Kind::Negate)
    Result = Formula::minus(Formula::number(constant(E.Parts[0]))).constant();
  else if (isArithmetic(E))
    Result = Formula::binary(E.Op, Formula::number(constant(E.Parts[0])),
                             Formula::number(constant(E.Parts[1])))
                 .constant();
  else
    throw ModelError(E.At, "this has to be known before the model runs",
                     "use numbers and constants only");
  if (!Result)
    throw ModelError(E.At, "this has no value",
                     "it divides by 0 or leaves 32 bits");
  return *Result;
}

Range Symbols::range(const Type &T) const {
  Range R;
  R.IsBool = T.IsBool;
  R.Low = T.IsBool ? 0 : PlainIntLow;
  R.High = T.IsBool ? 1 : PlainIntHigh;
  if (!T.Range)
    return R;
  R.Low = constant((*T.Range)[0]);
  R.High = constant((*T.Range)[1]);
  if (R.Low > R.High)
    throw ModelError(T.At, "this type has no value",
                     "write the smaller bound first");
  return R;
}

uint32_t Symbols::size(const Item &I) const {
  if (I.Size.empty())
    return 1;
  const Value Size = constant(I.Size[0]);
  if (Size < 1 || Size > static_cast<Value>(MaxVariables))
    throw ModelError(
        I.At, "an array cannot have " + std::to_string(Size) + " elements",
        "give it 1 to " + std::to_string(MaxVariables));
  return Size;
}

Value Symbols::initialValue(const Expr &E, const Range &Of) const {
  const bool IsTruth = E.Is == Expr::Kind::True || E.Is == Expr::Kind::False;
  if (IsTruth != Of.IsBool)
    throw ModelError(E.At, "this initial value is of another type",
                     Of.IsBool ? "write true or false" : "write a number");
  const Value V = IsTruth ? E.Is == Expr::Kind::True : constant(E);
  if (!Of.has(V))
    throw ModelError(E.At, std::to_string(V) + " is no value of this type",
                     "values are " + std::to_string(Of.Low) + " to " +
                         std::to_string(Of.High));
  return V;
}

std::vector<Value> Symbols::initial(const Item &I, const Range &Of) const {
  const uint32_t Size = size(I);
  std::vector<Value> All;
  All.reserve(I.Initial.size());
  for (const Expr &E : I.Initial)
    All.push_back(initialValue(E, Of));
  if (I.HasList ? I.Size.empty() || All.size() != Size : All.size() > 1)
    throw ModelError(I.At,
                     "'" + I.Name + "' has " + std::to_string(Size) +
                         " elements, but " + std::to_string(All.size()) +
                         " initial values",
                     "write one for each, or = 0 for all");
  if (!I.HasList)
    All.assign(Size, All.empty() ? Of.first() : All[0]);
  return All;
}

std::vector<std::map<std::string, Symbol>> Symbols::hideInner() {
  std::vector<std::map<std::string, Symbol>> Saved(
      std::make_move_iterator(Scopes.begin() + 1),
      std::make_move_iterator(Scopes.end()));
  Scopes.resize(1);
  return Saved;
}

void Symbols::restoreInner(std::vector<std::map<std::string, Symbol>> Saved) {
  Scopes.resize(1);
  Scopes.insert(Scopes.end(), std::make_move_iterator(Saved.begin()),
                std::make_move_iterator(Saved.end()));
}
