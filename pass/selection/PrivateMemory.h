//===- PrivateMemory.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stack memory that nobody outside the function can reach, or no other thread.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SELECTION_PRIVATEMEMORY_H
#define ATSAN_PASS_SELECTION_PRIVATEMEMORY_H

#include "pass/selection/ConfinedMemory.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace atsan {

enum class UseKind {
  Access,  // An access of this function, or none at all.
  Derives, // The user is another pointer into the object.
  Escapes
};

/// Says what a function does with a pointer, without a look at its callees.
UseKind classifyUse(const llvm::Use &U);

/// Splits a function's stack objects (allocas and arguments passed by copy) in
/// private and shared ones.
class PrivateMemory {
public:
  PrivateMemory(llvm::Function &F, ConfinedMemory &Confined);

  /// True if the pointer can point into private objects only.
  bool contains(const llvm::Value *Ptr) const {
    return PrivatePointers.contains(Ptr);
  }

  /// True if the pointer can point only into objects that no other thread can
  /// get the address of. Callees' accesses to these are observed.
  bool isConfined(const llvm::Value *Ptr) const {
    return ConfinedPointers.contains(Ptr);
  }

  /// Objects whose accesses are observed, here or elsewhere.
  llvm::ArrayRef<llvm::AllocaInst *> sharedAllocas() const { return Allocas; }
  llvm::ArrayRef<llvm::Argument *> sharedCopies() const { return Copies; }

private:
  bool claim(const llvm::Value *Object);
  void confine(llvm::AllocaInst &Object, ConfinedMemory &Confined);

  llvm::SmallPtrSet<const llvm::Value *, 32> PrivatePointers;
  llvm::SmallPtrSet<const llvm::Value *, 32> ConfinedPointers;
  llvm::SmallVector<llvm::AllocaInst *, 8> Allocas;
  llvm::SmallVector<llvm::Argument *, 2> Copies;
};

} // namespace atsan

#endif // ATSAN_PASS_SELECTION_PRIVATEMEMORY_H
