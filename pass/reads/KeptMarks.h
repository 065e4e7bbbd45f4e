//===- KeptMarks.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the marks of the source's loads through passes that would lose them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_KEPTMARKS_H
#define ATSAN_PASS_READS_KEPTMARKS_H

#include "llvm/IR/PassInstrumentation.h"

namespace atsan {

/// Called when a pipeline is made. What the loop vectorizer makes of loads has
/// no mark, but where it makes one load of those of several rounds, and each
/// round makes its load. What InstCombine and SROA make of loads of the source,
/// or of copies of memory, has the mark, as has what GVN makes of such loads.
void keepSourceMarks(llvm::PassInstrumentationCallbacks &Passes);

} // namespace atsan

#endif // ATSAN_PASS_READS_KEPTMARKS_H
