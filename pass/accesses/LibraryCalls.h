//===- LibraryCalls.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of the C++ library that are no templates, and access data of the
// program: what the runtime has in front of each of them. Functions of OpenMP's
// runtime in which threads meet: what ours has around them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_LIBRARYCALLS_H
#define ATSAN_PASS_ACCESSES_LIBRARYCALLS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"

namespace atsan {

/// Makes calls of them, in the functions that are instrumented, calls of the
/// runtime.
void replaceLibraryCalls(llvm::Module &M,
                         llvm::ArrayRef<llvm::Function *> Instrumented);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_LIBRARYCALLS_H
