//===- MemoryResources.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What std::pmr::memory_resource hands out lives until it is given back: the
// pools of the C++ library are compiled into it, and give the same memory to
// one user after the other, which no interceptor of malloc sees.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_MEMORYRESOURCES_H
#define ATSAN_PASS_MEMORYRESOURCES_H

#include "llvm/IR/Function.h"

namespace atsan {

/// If the function is memory_resource::allocate or deallocate, lets it tell so.
/// To be called before anything is inlined.
void tellResource(llvm::Function &F);

} // namespace atsan

#endif // ATSAN_PASS_MEMORYRESOURCES_H
