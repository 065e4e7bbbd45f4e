//===- SingleBodies.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that cannot have two bodies, such as coroutines: their only one has
// points.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SCHEDULE_SINGLEBODIES_H
#define ATSAN_PASS_SCHEDULE_SINGLEBODIES_H

#include "pass/base/RuntimeHooks.h"
#include "pass/selection/ConfinedMemory.h"

namespace atsan {

/// True if an argument is a copy on the stack. LLVM 19 overwrites saved
/// registers where such a function goes on by a tail call.
bool takesCopies(const llvm::Function &F);

/// True of a coroutine, whose copy could not be split, and of functions that
/// could not hand their arguments on to a copy.
bool hasSingleBody(const llvm::Function &F);

/// An opted-out function gets points before its atomic operations, which tell
/// of no access: what synchronizes threads is often opted out, by the program
/// or in the C++ library, and each order of it must be tried. The points are
/// added last of all, since such operations are often inlined into it.
void keepAtomicPoints(llvm::Function &F);
void scheduleAtomics(llvm::Function &F, ConfinedMemory &Confined,
                     RuntimeHooks &Hooks);

/// Points are added last of all, when coroutines are split: where the function
/// was inlined into a scheduled body, it would have none.
void keepSingleBody(llvm::Function &F);

/// True of what keepSingleBody kept, and of the parts of a coroutine that it
/// kept.
bool isSingleBody(const llvm::Function &F);

/// Adds points to a function if it is a single body that is split, or need not
/// be. Outside of explorations, and of regions, each costs two tests.
void scheduleSingleBody(llvm::Function &F, ConfinedMemory &Confined,
                        RuntimeHooks &Hooks);

} // namespace atsan

#endif // ATSAN_PASS_SCHEDULE_SINGLEBODIES_H
