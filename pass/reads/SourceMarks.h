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
#include "llvm/IR/PassInstrumentation.h"

namespace atsan {

/// Marks the loads of the source, before the optimizer runs. A pass that loads
/// where the source does not drops the mark, or makes a load without one.
void markSourceLoads(llvm::Function &F);

/// Called when a pipeline is made. What the loop vectorizer makes of loads has
/// no mark, but where it makes one load of those of several rounds, and each
/// round makes its load. What InstCombine and SROA make of loads of the source,
/// or of copies of memory, has the mark, as has what GVN makes of such loads.
void keepSourceMarks(llvm::PassInstrumentationCallbacks &Passes);

/// True for a load, or a vector access that reads and whose lanes have a mask.
bool isMarkable(const llvm::Instruction &I);

/// True for such a load without the mark.
bool isUnknownLoad(const llvm::Instruction &I);

/// The size in bytes of each access of the source that a load or store consists
/// of, which the loop vectorizer made of those of several rounds; else 0.
uint64_t elementsOf(const llvm::Instruction &I);

/// Takes the mark, if there is one.
void eraseSourceMark(llvm::Instruction &I);

} // namespace atsan

#endif // ATSAN_PASS_READS_SOURCEMARKS_H
