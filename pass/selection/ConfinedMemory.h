//===- ConfinedMemory.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stack objects that functions may get the address of, but no other thread:
// across the functions of a module. Why their accesses may be left out is said
// in docs/soundness-pass.md.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SELECTION_CONFINEDMEMORY_H
#define ATSAN_PASS_SELECTION_CONFINEDMEMORY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"

namespace atsan {

/// The fate of a pointer that a function gets.
enum class Fate { Stays, Returned, Leaks };

/// Answers for a module, remembered while it is instrumented: hooks change
/// nothing in them.
class ConfinedMemory {
public:
  using LibraryInfo =
      llvm::function_ref<llvm::TargetLibraryInfo &(llvm::Function &)>;

  explicit ConfinedMemory(LibraryInfo TLI) : TLI(TLI) {}

  /// True if no other thread can get the address of the object. Buffers: what
  /// is read from memory and points to memory that only this thread can reach.
  bool contains(llvm::AllocaInst &Object,
                llvm::SmallPtrSetImpl<const llvm::Value *> &Buffers);

  /// The fate of an argument that points to an object; to a std::string, if
  /// IsString.
  Fate fate(llvm::Argument &Arg, bool IsString);

  /// True if the function leaves a std::string with memory of its own, and
  /// nobody else knows of that memory.
  bool keepsOwn(llvm::Argument &String);

  llvm::TargetLibraryInfo &libraryOf(llvm::Function &F) { return TLI(F); }

private:
  LibraryInfo TLI;
  llvm::DenseMap<llvm::PointerIntPair<llvm::Argument *, 1, bool>, Fate> Fates;
  llvm::DenseMap<llvm::Argument *, bool> Own;
  unsigned Depth = 0; // Calls from the function that is asked about.
};

} // namespace atsan

#endif // ATSAN_PASS_SELECTION_CONFINEDMEMORY_H
