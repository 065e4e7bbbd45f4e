//===- RegionSelection.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions are regions although the source does not say so, and which
// are not although it does: -fatomicity-regions= and -fatomicity-exclude=.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SELECTION_REGIONSELECTION_H
#define ATSAN_PASS_SELECTION_REGIONSELECTION_H

#include "pass/base/NameList.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

namespace atsan {

class RegionSelection {
public:
  /// Reads the options of the pass and their files.
  explicit RegionSelection(llvm::Module &M);

  /// Is \p F listed?
  bool lists(const llvm::Function &F) const;
  /// Is \p F a region by default, as an externally visible function?
  bool exports(const llvm::Function &F) const;
  bool excludes(const llvm::Function &F) const;

  /// Tells the runtime what concerns regions that begin by other means: adds a
  /// constructor to \p M, if there is something to tell.
  void addConstructor(llvm::Module &M) const;

private:
  NameList Listed;
  NameList Excluded;
  bool Exported = false;
  bool CriticalSections = false;
  /// Entry functions run as long as their threads, which is rarely meant to be
  /// atomic.
  llvm::SmallPtrSet<const llvm::Function *, 8> ThreadEntries;
};

} // namespace atsan

#endif // ATSAN_PASS_SELECTION_REGIONSELECTION_H
