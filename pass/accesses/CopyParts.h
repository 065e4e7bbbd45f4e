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

#ifndef ATSAN_PASS_ACCESSES_COPYPARTS_H
#define ATSAN_PASS_ACCESSES_COPYPARTS_H

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

/// The copies of a function, while a pass may make loads, stores and smaller
/// copies of them.
class Copies {
public:
  /// A node with the given words that is for this copy only, in the form of a
  /// scope of aliases.
  llvm::MDNode *nodeFor(const llvm::MemTransferInst &Copy, llvm::MDNode *Domain,
                        llvm::Metadata *Words);
  bool empty() const { return Whole.empty(); }
  bool contains(const llvm::Metadata *Node) const {
    return Whole.contains(llvm::dyn_cast_or_null<llvm::MDNode>(Node));
  }

  /// Marks what the pass has made of the copy with this node.
  void markPart(llvm::Instruction &I, const llvm::MDNode *Node) const;

  void clear() { Whole.clear(); }

private:
  struct Copied {
    llvm::WeakTrackingVH Source, Destination;
    std::optional<CopyPart> Within; ///< If it is itself a part.
  };
  llvm::DenseMap<const llvm::MDNode *, Copied> Whole;
};

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_COPYPARTS_H
