//===- RuntimeHooks.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass knows about the runtime: hooks and global words as things to
// call and load, and the numbers that both sides agree on. The names are in
// RuntimeHooks.def; no other file of the pass spells them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_RUNTIMEHOOKS_H
#define ATSAN_PASS_BASE_RUNTIMEHOOKS_H

#include "lib/base/Abi.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace atsan {

enum class Hook : unsigned {
#define ATSAN_HOOK(ID, NAME, ...) ID,
#include "pass/base/RuntimeHooks.def"
};

/// Declares hooks in a module as they are needed.
class RuntimeHooks {
public:
  explicit RuntimeHooks(llvm::Module &M);

  /// Inserts a call that has the builder's debug location.
  llvm::CallInst *call(llvm::IRBuilderBase &IRB, Hook H,
                       llvm::ArrayRef<llvm::Value *> Args);

  /// Inserts an i1 that is true while some thread is inside a region.
  llvm::Value *testGate(llvm::IRBuilderBase &IRB);

  /// Inserts an i1 that is true once a module with region marks is loaded.
  llvm::Value *testEnabled(llvm::IRBuilderBase &IRB);

  /// Inserts an i1 that is true while schedules are controlled.
  llvm::Value *testScheduled(llvm::IRBuilderBase &IRB);

  /// Says that the function that is called has a scheduled body.
  void enterScheduled(llvm::IRBuilderBase &IRB);

  /// True for the name of MemCpy, MemMove or MemSet.
  static bool isMemory(llvm::StringRef Name);

  llvm::IntegerType *intPtrType() const { return IntPtrTy; }

private:
  llvm::Type *typeOf(unsigned Type) const;
  llvm::GlobalVariable *word(llvm::StringRef Name);
  llvm::Value *testWord(llvm::IRBuilderBase &IRB, llvm::StringRef Name);

  llvm::Module &M;
  llvm::IntegerType *IntPtrTy;
};

/// Names that belong to the sanitizer: functions defined under them (such as
/// the user's __atsan_default_options) may run before the runtime is ready.
bool isReservedName(llvm::StringRef Name);

/// True for what the pass calls in the runtime. None of it keeps an address
/// from which another thread's accesses could come.
bool isHook(llvm::StringRef Name);

/// True for the functions that begin, or end, a region.
bool isRegionBegin(llvm::StringRef Name);
bool isRegionEnd(llvm::StringRef Name);

/// True if something in the module begins a region.
bool hasRegionMarks(const llvm::Module &M);

} // namespace atsan

#endif // ATSAN_PASS_BASE_RUNTIMEHOOKS_H
