//===-- AtomicCalls.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Atomic operations that the compiler leaves to libatomic, because of their
/// size or alignment: calls of __atomic_load, __atomic_fetch_add_16 and so on.
/// They are bracketed like atomic instructions.
///
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_ATOMICCALLS_H
#define ATSAN_PASS_ACCESSES_ATOMICCALLS_H

#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace atsan {

struct AtomicCall {
  enum Operation { Load, Store, Exchange, CompareExchange, ReadModifyWrite };

  Operation Op;
  uint64_t Size;
  llvm::Value *Object;
  uint64_t Offset = 0; ///< Where in Object the bytes are.
  // Buffers of Size bytes, or null. In (the new value) is read. Expected is
  // read, and written if the exchange fails. Out is written.
  llvm::Value *In = nullptr;
  llvm::Value *Expected = nullptr;
  llvm::Value *Out = nullptr;
};

std::optional<AtomicCall> atomicCall(const llvm::CallBase &Call);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_ATOMICCALLS_H
