//===- Formula.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Formula.h"
#include "lib/model/Parser.h"

using namespace atsan::model;

Formula Formula::number(Value V) {
  Formula F;
  F.All.push_back({Code::Number, Operator::Or, 0, V});
  return F;
}

Formula Formula::local(uint32_t Slot) {
  Formula F;
  F.All.push_back({Code::Local, Operator::Or, 0, static_cast<Value>(Slot)});
  return F;
}

Formula Formula::element(uint32_t First, uint32_t Count, Formula Index) {
  if (const auto At = Index.constant(); At && *At >= 0 && *At < int64_t(Count))
    return local(First + *At);
  Index.All.push_back(
      {Code::Element, Operator::Or, Count, static_cast<Value>(First)});
  return Index;
}

Formula Formula::negated(Formula A) {
  A.All.push_back({Code::Not, Operator::Or, 0, 0});
  if (const auto V = A.constant())
    return number(*V);
  return A;
}

Formula Formula::minus(Formula A) {
  A.All.push_back({Code::Negate, Operator::Or, 0, 0});
  if (const auto V = A.constant())
    return number(*V);
  return A;
}

Formula Formula::binary(Operator Op, Formula A, const Formula &B) {
  A.All.insert(A.All.end(), B.All.begin(), B.All.end());
  A.All.push_back({Code::Binary, Op, 0, 0});
  if (const auto V = A.constant())
    return number(*V);
  return A;
}

namespace {

// Stands for a value that does not exist.
constexpr int64_t NoValue = INT64_MIN;

int64_t inRange(int64_t V) {
  return V < INT32_MIN || V > INT32_MAX ? NoValue : V;
}

int64_t compute(Operator Op, int64_t A, int64_t B) {
  if (Op == Operator::And)
    return A == 0 ? 0 : A == NoValue ? NoValue : B;
  if (Op == Operator::Or)
    return A == 0 || A == NoValue ? (A == 0 ? B : NoValue) : 1;
  if (A == NoValue || B == NoValue)
    return NoValue;
  switch (Op) {
  case Operator::Equal:
    return A == B;
  case Operator::NotEqual:
    return A != B;
  case Operator::Less:
    return A < B;
  case Operator::LessEqual:
    return A <= B;
  case Operator::Greater:
    return A > B;
  case Operator::GreaterEqual:
    return A >= B;
  case Operator::Plus:
    return inRange(A + B);
  case Operator::Minus:
    return inRange(A - B);
  case Operator::Times:
    return inRange(A * B);
  case Operator::Divide:
    return B ? inRange(A / B) : NoValue;
  case Operator::Modulo:
    return B ? inRange(A % B) : NoValue;
  case Operator::And:
  case Operator::Or:
    break;
  }
  return NoValue;
}

} // namespace

std::optional<Value> Formula::evaluate(const Value *Locals) const {
  // Most formulas are a number, or one variable.
  if (All.size() == 1)
    return All[0].Is == Code::Number ? All[0].Number : Locals[All[0].Number];
  // A left-deep chain needs two places, each nesting one more.
  int64_t Stack[8 * MaxNesting];
  size_t Size = 0;
  for (const Instruction &I : All)
    switch (I.Is) {
    case Code::Number:
      Stack[Size++] = I.Number;
      break;
    case Code::Local:
      Stack[Size++] = Locals[I.Number];
      break;
    case Code::Element: {
      int64_t &Top = Stack[Size - 1];
      Top =
          Top < 0 || Top >= int64_t(I.Count) ? NoValue : Locals[I.Number + Top];
      break;
    }
    case Code::Not:
      if (Stack[Size - 1] != NoValue)
        Stack[Size - 1] = !Stack[Size - 1];
      break;
    case Code::Negate:
      if (Stack[Size - 1] != NoValue)
        Stack[Size - 1] = inRange(-Stack[Size - 1]);
      break;
    case Code::Binary:
      --Size;
      Stack[Size - 1] = compute(I.Op, Stack[Size - 1], Stack[Size]);
      break;
    }
  if (Stack[0] == NoValue)
    return std::nullopt;
  return static_cast<Value>(Stack[0]);
}

std::optional<Value> Formula::constant() const {
  for (const Instruction &I : All)
    if (I.Is == Code::Local || I.Is == Code::Element)
      return std::nullopt;
  return evaluate(nullptr);
}
