//===- CopyParts.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of an object is one access of the source, also where the optimizer
// makes loads or stores of it. Outside regions each access is a transaction, so
// the parts have to be told as one.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_COPYPARTS_H
#define ATSAN_PASS_READS_COPYPARTS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include <optional>

namespace atsan {

struct CopyPart {
  const llvm::MDNode *Copy; ///< The parts of one copy have the same.
  uint64_t Offset;          ///< From the begin of what is read or written.
};

/// Tells which part of a copy the instruction is. None: it is no part of one.
std::optional<CopyPart> copyPartOf(const llvm::Instruction &I);

/// The copies of a function, while a pass may make loads and stores of them.
class Copies {
public:
  /// A node with the given words that is for this copy only.
  llvm::MDNode *nodeFor(const llvm::MemTransferInst &Copy,
                        llvm::Metadata *Words);

  /// Marks a load or store that the pass has made of the copy with this node.
  void markPart(llvm::Instruction &I, const llvm::MDNode *Node) const;

  void clear() { Pointers.clear(); }

private:
  struct Ends {
    llvm::WeakTrackingVH Source, Destination;
  };
  llvm::DenseMap<const llvm::MDNode *, Ends> Pointers;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_COPYPARTS_H
