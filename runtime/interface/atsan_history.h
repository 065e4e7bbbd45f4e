//===-- atsan_history.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects that are watched (sanitizer/atsan_history.h).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HISTORY_H
#define ATSAN_HISTORY_H

namespace __atsan {

// The process ends: operations that are open will not return.
void HistoriesAtExit();

}  // namespace __atsan

#endif  // ATSAN_HISTORY_H
