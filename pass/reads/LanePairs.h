//===- LanePairs.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane of a value depends on which lane of a load. A lane of a sum that
// begins with that of an earlier round depends on several; the others on one.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_LANEPAIRS_H
#define ATSAN_PASS_READS_LANEPAIRS_H

#include "pass/reads/LoadedLanes.h"
#include "llvm/IR/IRBuilder.h"

namespace atsan {

struct LanePair {
  llvm::SmallVector<unsigned, 1> Lanes; // The value's lane, or any of several.
  unsigned OfLoad;
};

/// Computes with one truth value for each pair of lanes of a value: `i1` for a
/// single pair, else a vector.
class LanePairs {
public:
  /// Leaves out all lanes of the load but the given ones.
  LanePairs(const LoadedLanes &Loaded, LoadedLanes::Set Part)
      : Loaded(Loaded), Part(std::move(Part)) {}

  /// The pairs of lanes of a value: none if it does not depend on the load.
  llvm::SmallVector<LanePair, 0> of(const llvm::Value &V) const;

  /// The type of Count truth values.
  static llvm::Type *typeFor(llvm::LLVMContext &Context, size_t Count);
  llvm::Type *typeOf(const llvm::Value &V) const {
    return typeFor(V.getContext(), of(V).size());
  }
  llvm::Type *typeOfLoad(llvm::LLVMContext &Context) const {
    return typeFor(Context, Part.count());
  }

  /// Turns truths for the pairs of the operand into truths for those of the
  /// user.
  llvm::Value *ofUser(llvm::IRBuilderBase &IRB, llvm::Value *Truth,
                      const llvm::Use &U) const;
  /// Turns truths for the value's lanes, or one for all of it, into truths for
  /// its pairs.
  llvm::Value *ofValue(llvm::IRBuilderBase &IRB, llvm::Value *Truth,
                       const llvm::Value &V) const;
  /// Turns truths for the pairs of the value into truths for the lanes of the
  /// load that are in Part.
  llvm::Value *ofLoad(llvm::IRBuilderBase &IRB, llvm::Value *Truth,
                      const llvm::Value &V) const;
  /// Turns truths for the lanes that are in Part into truths for all lanes of
  /// the load.
  llvm::Value *ofAllLanes(llvm::IRBuilderBase &IRB, llvm::Value *Truth) const;

private:
  const LoadedLanes &Loaded;
  LoadedLanes::Set Part;
};

/// For each lane of the result, whether one of the given lanes is true.
llvm::Value *gatherLanes(llvm::IRBuilderBase &IRB, llvm::Value *Truth,
                         llvm::ArrayRef<llvm::SmallVector<int, 2>> Lanes);

} // namespace atsan

#endif // ATSAN_PASS_READS_LANEPAIRS_H
