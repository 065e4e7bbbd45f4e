//===- FunctionSelection.h ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which modules and functions are instrumented at all.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SELECTION_FUNCTIONSELECTION_H
#define ATSAN_PASS_SELECTION_FUNCTIONSELECTION_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace atsan {

/// Function attribute by which the second half knows opted-out functions.
constexpr const char *kNoSanitizeAttribute = "atsan-no-sanitize";

/// Function attribute of an opted-out function that is a part of its callers,
/// at the latest when these have their hooks.
constexpr const char *kInlinedAttribute = "atsan-inlined";

/// Function attribute of a body that runs while schedules are controlled: its
/// points tell of its loads and stores.
constexpr const char *kScheduledAttribute = "atsan-scheduled";

inline bool isScheduledBody(const llvm::Function &F) {
  return F.hasFnAttribute(kScheduledAttribute);
}

/// False for code that does not run on the host, such as a GPU's.
bool isInstrumentable(const llvm::Module &M);

class FunctionSelection {
public:
  explicit FunctionSelection(const llvm::Module &M);
  bool contains(const llvm::Function &F) const;

private:
  llvm::SmallPtrSet<const llvm::Function *, 4> IFuncResolvers;
};

} // namespace atsan

#endif // ATSAN_PASS_SELECTION_FUNCTIONSELECTION_H
