//===-- AtomicUpdates.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation of the source, such as `x *= 3` of an _Atomic object or what
// stands under `#pragma omp atomic`, becomes a load and a loop of exchanges
// where the processor has no instruction for it. Only the exchange that
// succeeds is an access of the program: a read-modify-write.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_ATOMICUPDATES_H
#define ATSAN_PASS_ACCESSES_ATOMICUPDATES_H

#include "llvm/IR/Function.h"

namespace atsan {

/// Marks the loads and exchanges that clang makes of such operations. Has to be
/// called before the optimizer runs: loops of the source look alike behind it.
void markAtomicUpdates(llvm::Function &F);

/// True for a load or an exchange with the mark.
bool isOfAtomicUpdate(const llvm::Instruction &I);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_ATOMICUPDATES_H
