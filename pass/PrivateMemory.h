//===- PrivateMemory.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stack memory that nobody outside the function can reach.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PRIVATEMEMORY_H
#define ATSAN_PASS_PRIVATEMEMORY_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace atsan {

/// Splits a function's stack objects (allocas and arguments passed by copy) in
/// private and shared ones.
class PrivateMemory {
public:
  explicit PrivateMemory(llvm::Function &F);

  /// True if the pointer can point into private objects only.
  bool contains(const llvm::Value *Ptr) const {
    return PrivatePointers.contains(Ptr);
  }

  /// Objects whose accesses are observed, here or elsewhere.
  llvm::ArrayRef<llvm::AllocaInst *> sharedAllocas() const { return Allocas; }
  llvm::ArrayRef<llvm::Argument *> sharedCopies() const { return Copies; }

private:
  bool claim(llvm::Value *Object);

  llvm::SmallPtrSet<const llvm::Value *, 32> PrivatePointers;
  llvm::SmallVector<llvm::AllocaInst *, 8> Allocas;
  llvm::SmallVector<llvm::Argument *, 2> Copies;
};

} // namespace atsan

#endif // ATSAN_PASS_PRIVATEMEMORY_H
