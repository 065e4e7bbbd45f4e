//===- InstrumentPass.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Second half of the work, at the end of the pipeline: plans and emits for each
// function, and registers the module with the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_INSTRUMENTPASS_H
#define ATSAN_PASS_INSTRUMENTPASS_H

#include "llvm/IR/PassManager.h"

namespace atsan {

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace atsan

#endif // ATSAN_PASS_INSTRUMENTPASS_H
