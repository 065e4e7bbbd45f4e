//===- ParallelCalls.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of libraries that run the program's code in a pool of threads, or wait
// for it: they divide regions (rule 5).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_PARALLELCALLS_H
#define ATSAN_PASS_ACCESSES_PARALLELCALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace atsan {

/// Tells the runtime of them, in all functions, whether these are instrumented
/// or not: what is told is no access. \p Changes is called before the blocks of
/// a function change.
void divideAtParallelCalls(llvm::Module &M,
                           llvm::function_ref<void(llvm::Function &)> Changes);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_PARALLELCALLS_H
