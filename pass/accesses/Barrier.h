//===- Barrier.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the optimizer cannot have moved a load over.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_BARRIER_H
#define ATSAN_PASS_ACCESSES_BARRIER_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include <optional>

namespace atsan {

/// True for a visible point over which the optimizer cannot have moved a load
/// from the location (none: from anywhere), because what is there may be
/// written at that point; and for a plain write to the location. One that may
/// be to other memory is none: the optimizer may have known more, and the read
/// may be told behind it.
bool isBarrier(const llvm::Instruction &I,
               const std::optional<llvm::MemoryLocation> &Location,
               llvm::AAResults &AA, const llvm::TargetLibraryInfo &TLI);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_BARRIER_H
