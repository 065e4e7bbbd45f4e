//===- StackObjects.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When shared stack objects are born and when they die, as events at
// instructions.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PLAN_STACKOBJECTS_H
#define ATSAN_PASS_PLAN_STACKOBJECTS_H

#include "pass/base/Event.h"
#include "pass/plan/StackFrame.h"
#include "pass/selection/PrivateMemory.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

namespace atsan {

class StackObjects {
public:
  StackObjects(llvm::Function &F, const PrivateMemory &Private);

  /// At the entry: births, and the writes of arguments passed by copy.
  llvm::ArrayRef<Event> atEntry() const { return Entry; }

  /// Deaths at an exit from the function. May insert what tells their size.
  llvm::SmallVector<Event, 8> atExit(llvm::Instruction &I) const;

  /// The death of objects of variable size at a stackrestore, if there are any.
  /// Inserts what tells their size.
  std::optional<Event> atRestore(llvm::IntrinsicInst &I) const;

  /// The birth or death that the instruction (an alloca or a lifetime
  /// intrinsic) stands for, or null.
  const Event *at(const llvm::Instruction &I) const;

  /// The birth of the whole frame, if it stands before the instruction.
  const Event *frameBirthAt(const llvm::Instruction &I) const;

  /// Markers of lifetimes that are told with the frame: the objects must not
  /// share memory any more.
  llvm::ArrayRef<llvm::Instruction *> outdated() const { return Outdated; }

private:
  void tellFrame(llvm::Function &F);
  void addAlloca(llvm::AllocaInst &Alloca, const llvm::DataLayout &DL);
  void addCopy(llvm::Argument &Arg, const llvm::DataLayout &DL);
  bool addLifetime(const Event &Object, llvm::AllocaInst &Alloca);

  llvm::SmallVector<Event, 8> Entry;
  llvm::SmallVector<Event, 8> Exit;
  llvm::MapVector<const llvm::Instruction *, Event> Marked;
  /// Set if one hook tells of all objects of the frame.
  std::optional<StackFrame> Frame;
  std::optional<Event> FrameBirth; // Unless at the entry.
  llvm::SmallVector<llvm::Instruction *, 4> Outdated;
  /// The end of the stack at the function's entry, if it has objects of
  /// variable size.
  llvm::Instruction *EntryEnd = nullptr;
};

} // namespace atsan

#endif // ATSAN_PASS_PLAN_STACKOBJECTS_H
