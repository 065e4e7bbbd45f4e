//===- Effect.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What single instructions make of a value, and whether others see it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_EFFECT_H
#define ATSAN_PASS_ACCESSES_EFFECT_H

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instruction.h"

namespace atsan {

/// What an instruction does with one of its operands.
enum class Effect {
  None,     // Nothing that the run depends on.
  PassedOn, // Only the instruction's own result depends on the operand.
  Masked,   // Matters as far as the mask of a vector access says.
  Matters   // Stored, returned, passed to a call, decides a branch, ...
};

/// The mask of a masked load, store, gather or scatter; or null.
llvm::Value *maskOf(const llvm::Instruction &I);

/// Marks what we insert to compute conditions: its uses are none of the
/// program.
void markAsOurs(llvm::Instruction &I);
void removeMarkAsOurs(llvm::Instruction &I);

/// The value of one operand that makes the other irrelevant: false of an `and`
/// of truth values, true of an `or`, zero of a mask or a product. Null: none.
llvm::Constant *absorbingValue(const llvm::Instruction &I);

Effect effectOf(const llvm::Use &U, const llvm::TargetLibraryInfo &TLI);

/// True for volatile and relaxed atomic accesses: they order nothing for other
/// memory.
bool isWeak(const llvm::Instruction &I);

/// True for what the optimizer or we made of stores, and what only looks like a
/// write.
bool isNoWrite(const llvm::Instruction &I);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_EFFECT_H
