//===- LoadedLanes.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the lanes of a loaded vector get to. Vectorizers load more lanes than
// the source reads, mirror them, and drop or choose some far behind the load.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_LOADEDLANES_H
#define ATSAN_PASS_READS_LOADEDLANES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/Instruction.h"

namespace atsan {

/// Calls back for each lane of the used value that gets to a lane of the user.
/// A scalar has one lane.
void forEachTaken(const llvm::Use &U,
                  llvm::function_ref<void(unsigned From, unsigned To)> Take);

class LoadedLanes {
public:
  /// A set of lanes of the load.
  using Set = llvm::SmallBitVector;
  /// For each lane of a value, the lanes of the load that it depends on.
  using Sets = llvm::SmallVector<Set, 0>;

  /// Follows what is loaded to everything computed from it: a vector of fixed
  /// length by lane, or anything as if it was one lane.
  LoadedLanes(const llvm::Instruction &Load, bool ByLane);

  /// Returns how many lanes of the load are told apart: 1 if it is not followed
  /// by lane.
  unsigned count() const { return Count; }

  /// All values that depend on the load.
  const llvm::MapVector<const llvm::Value *, Sets> &values() const {
    return Values;
  }

  /// The lanes of the load that the user takes from a dependent value.
  Set takenBy(const llvm::Use &U) const;

private:
  Sets compute(const llvm::Instruction &I) const;

  unsigned Count; // Lanes of the load.
  llvm::MapVector<const llvm::Value *, Sets> Values;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_LOADEDLANES_H
