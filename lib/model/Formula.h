//===- Formula.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions over the local variables of a thread, which have no effect.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_FORMULA_H
#define ATSAN_MODEL_FORMULA_H

#include "lib/model/Syntax.h"

namespace atsan::model {

/// A value of a variable; false and true are 0 and 1.
using Value = int32_t;

/// Postfix code over an array of locals. Not longer than an expression in a
/// model can be (MaxNesting).
class Formula {
public:
  enum class Code : uint8_t {
    Number,  ///< Pushes Value.
    Local,   ///< Pushes the local Value.
    Element, ///< Pops an index; pushes the local Value + index, of Count.
    Not,
    Negate,
    Binary, ///< Op.
  };
  struct Instruction {
    Code Is = Code::Number;
    Operator Op = Operator::Or;
    uint32_t Count = 0;
    Value Number = 0;
  };

  static Formula number(Value V);
  static Formula local(uint32_t Slot);
  static Formula element(uint32_t First, uint32_t Count, Formula Index);
  static Formula negated(Formula A);
  static Formula minus(Formula A);
  static Formula binary(Operator Op, Formula A, const Formula &B);

  /// The value; nullopt where there is none: division by 0, an index outside
  /// of an array, a result outside of 32 bits. What stands on the right of a
  /// && or || that its left side decides does not matter.
  std::optional<Value> evaluate(const Value *Locals) const;
  /// The value if it is a constant.
  std::optional<Value> constant() const;
  bool empty() const { return All.empty(); }
  const std::vector<Instruction> &code() const { return All; }

private:
  std::vector<Instruction> All;
};

} // namespace atsan::model

#endif // ATSAN_MODEL_FORMULA_H
