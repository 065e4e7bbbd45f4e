//===- Speculation.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the optimizer from loading what the source may not read: whichever pass
// it is, it must know that the memory exists, or that it is accessed anyway.
// What it is told of memory that exists is taken from it: a global exists
// unless it is weak, and what a pointer points to if an attribute says so.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SPECULATION_H
#define ATSAN_PASS_SPECULATION_H

#include "llvm/IR/Function.h"
#include "llvm/IR/PassInstrumentation.h"

namespace atsan {

/// Removes the attributes that say of pointers that their memory exists, from
/// the function and from its calls.
void forgetThatMemoryExists(llvm::Function &F);

/// While a pass for functions or loops runs on a function with the attribute
/// sanitize_thread, the globals that it uses are weak. So they are in a
/// function that is opted out: LLVM takes a call of a function that waits, and
/// is not inlined, for one that leaves alone the globals of which it knows all
/// uses.
void weakenGlobalsDuringPasses(llvm::PassInstrumentationCallbacks &Passes);

} // namespace atsan

#endif // ATSAN_PASS_SPECULATION_H
