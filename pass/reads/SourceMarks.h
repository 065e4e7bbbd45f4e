//===- SourceMarks.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells the loads of the source from those that the optimizer makes.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_SOURCEMARKS_H
#define ATSAN_PASS_READS_SOURCEMARKS_H

#include "llvm/IR/Function.h"

namespace atsan {

/// Marks the loads of the source, before the optimizer runs: a pass that loads
/// where the source does not drops the mark, or makes a load without one. Says
/// of its accesses to vectors that they consist of one.
void markSourceAccesses(llvm::Function &F);

/// Gives the load the mark.
void markAsSource(llvm::Instruction &I);

/// True for a load, or a vector access that reads and whose lanes have a mask.
bool isMarkable(const llvm::Instruction &I);

/// True for such a load without the mark.
bool isUnknownLoad(const llvm::Instruction &I);

/// True for a plain load with the mark.
bool isMarkedLoad(const llvm::Instruction &I);

/// The size in bytes of each access of the source that a load or store consists
/// of, where markElements has said so; else 0. A vector of which nothing says
/// so any more, such as one that LICM keeps in a register, is not of the
/// source: it consists of its elements.
uint64_t elementsOf(const llvm::Instruction &I);

/// Says that the access consists of such accesses of Size bytes.
void markElements(llvm::Instruction &I, uint64_t Size);

/// Such a size as metadata, and what they say; 0 for others.
llvm::MDNode *elementsNode(llvm::LLVMContext &C, uint64_t Size);
uint64_t elementsIn(const llvm::MDNode *Node);

/// Says of a load with the mark that each round of its loop makes it, in a way
/// that a load made of several keeps if all of these have it.
void tagAsOfEveryRound(llvm::Instruction &I);
bool isOfEveryRound(const llvm::Instruction &I);

/// Takes the mark, if there is one.
void eraseSourceMark(llvm::Instruction &I);

} // namespace atsan

#endif // ATSAN_PASS_READS_SOURCEMARKS_H
