//===- DueReads.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads that the optimizer made. It may load memory earlier than the source
// does, on more ways through the function, or once in place of often. Such a
// read is *due* from the load on, and told where its value first matters; where
// it never does, the source need not have read, and nothing is told.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_DUEREADS_H
#define ATSAN_PASS_READS_DUEREADS_H

#include "pass/accesses/AccessSelection.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"

namespace atsan {

class DueReads {
public:
  /// Finds them in an optimized function, and adds what must be computed to
  /// know whether one is due. Erases the marks.
  DueReads(llvm::Function &F, const AccessSelection &Selection,
           llvm::AAResults &AA, const llvm::TargetLibraryInfo &TLI);

  /// True if nothing is to be told of the load where it stands.
  bool isPutOff(const llvm::Instruction &Load) const {
    return PutOff.contains(&Load);
  }

  /// The reads to be told at an instruction, before its own accesses.
  llvm::ArrayRef<Event> at(const llvm::Instruction &I) const {
    auto It = Events.find(&I);
    return It == Events.end() ? llvm::ArrayRef<Event>()
                              : llvm::ArrayRef<Event>(It->second);
  }

private:
  llvm::SmallPtrSet<const llvm::Instruction *, 8> PutOff;
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<Event, 1>> Events;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_DUEREADS_H
