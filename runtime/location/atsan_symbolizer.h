//===-- atsan_symbolizer.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the external symbolizer and keeps its use from disturbing the program.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SYMBOLIZER_H
#define ATSAN_SYMBOLIZER_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __atsan {

using namespace __sanitizer;

// Once options and interceptors are ready.
void SymbolizerInit();

// Called with a report: says once, if stacks cannot be symbolized, that this is
// so and how to help it.
void SymbolizerWarnIfMissing();

// The child of a fork asks a process of its own: it would get answers to what
// its parent has asked, and the other way round. Another thread may have held
// the symbolizer's lock.
void SymbolizerAfterForkInChild();

}  // namespace __atsan

#endif  // ATSAN_SYMBOLIZER_H
