//===- MarkerPass.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First half of the work, at the start of the pipeline: reads the source's
// annotations while every function still is what the user wrote.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_MARKERPASS_H
#define ATSAN_PASS_MARKERPASS_H

#include "llvm/IR/PassManager.h"

namespace atsan {

/// Applies ATSAN_NO_SANITIZE, ATSAN_ATOMIC, disable_sanitizer_instrumentation,
/// and what options say of functions.
class MarkerPass : public llvm::PassInfoMixin<MarkerPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace atsan

#endif // ATSAN_PASS_MARKERPASS_H
