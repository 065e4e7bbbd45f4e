//===- DueRead.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One part of one load that the optimizer made: where it is told, and under
// which condition. DueReads.h is what the rest of the pass sees of it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_DUEREAD_H
#define ATSAN_PASS_READS_DUEREAD_H

#include "pass/base/Event.h"
#include "pass/reads/LanePairs.h"
#include "pass/reads/ValueFlow.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

namespace atsan {

/// A place where a due read is told if one of the values depends on it.
struct Place {
  enum Kind {
    Kept,   // The value is kept for what comes behind.
    Masked, // The value matters as far as a mask says.
    Used    // The value matters in any case.
  };
  struct Reason {
    llvm::Instruction *Value;
    Kind Why;
  };
  llvm::Instruction *At;
  llvm::SmallVector<Reason, 2> Reasons;
};

/// Finds the places for a part of one load, and computes there whether it is
/// due.
class DueRead {
public:
  using AddEvent =
      llvm::function_ref<void(llvm::Instruction &At, const Event &)>;

  DueRead(llvm::Instruction &Load, const UnknownLoads &Loads,
          const LoadedBytes &Loaded, const Bytes &Part, llvm::AAResults &AA,
          llvm::DominatorTree &DT, llvm::LoopInfo &Loops,
          const llvm::TargetLibraryInfo &TLI);

  bool isToldAtOnce() const { return Flow.surelyMatters(Load); }

  /// Hand over what is to be told, and at which instruction: changed copies of
  /// the load's own events.
  void tellAtOnce(llvm::ArrayRef<Event> OfLoad, AddEvent Add);
  void putOff(llvm::ArrayRef<Event> OfLoad, AddEvent Add);

private:
  void findPlaces();
  bool tellBeforeLoop(llvm::PHINode &V);
  void findBarriers();
  void addTo(llvm::Instruction &At, llvm::Instruction &Value, Place::Kind Why);
  llvm::AllocaInst *makeVariable(llvm::Type *Ty);
  llvm::StoreInst *set(llvm::AllocaInst *Variable, llvm::Value *To,
                       llvm::Instruction &Before);
  void computeAt(const Place &P);
  void simplify();
  void addEvents(llvm::Instruction &At, llvm::Value *IsTold,
                 llvm::Value *Pointer, const Event &OfLoad, AddEvent Add);

  llvm::Constant *noneOf(const llvm::Value &V) const {
    return llvm::Constant::getNullValue(Pairs.typeOf(V));
  }
  /// How a value depends on the load: in any way, or only by what was computed
  /// of its bytes.
  enum class By : bool { Any, Computed };
  using WayOf = llvm::PointerIntPair<llvm::Instruction *, 1, By>;
  llvm::Value *dependence(WayOf Way);
  llvm::Value *dependenceOf(WayOf Way, llvm::IRBuilderBase &IRB);
  llvm::Value *dependenceOf(const llvm::Use &U, By How, llvm::Instruction &At);
  llvm::Value *dependenceAt(llvm::Value *Operand, By How,
                            llvm::Instruction &At);
  llvm::Instruction &Load;
  const LoadedBytes &Loaded;
  const Bytes &Part;
  ValueFlow Flow;
  llvm::AAResults &AA;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &Loops;
  LanePairs Pairs;
  llvm::Constant *Yes, *No; // One truth for each lane of the part.

  /// Values that may depend on the load, and those of them that do for certain.
  ValueFlow::Values Dependent, Certain;
  llvm::SmallVector<Place, 4> Places;
  llvm::SmallVector<llvm::Instruction *, 4> Barriers;

  llvm::AllocaInst *Due = nullptr, *Address = nullptr;
  llvm::SmallVector<llvm::AllocaInst *, 4> Variables;
  llvm::DenseMap<WayOf, llvm::Value *> Truths;
  llvm::DenseMap<WayOf, llvm::AllocaInst *> TruthVariables;
  struct Result {
    llvm::Instruction *At;
    llvm::WeakTrackingVH IsTold, Pointer;
  };
  llvm::SmallVector<Result, 4> Results;
  llvm::SmallVector<llvm::WeakVH, 16> Made;
  llvm::IRBuilderCallbackInserter Inserter;
  /// Inserts before an instruction, and keeps note of what it inserted.
  struct Builder
      : llvm::IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter> {
    Builder(DueRead &Owner, llvm::Instruction &Before)
        : IRBuilder<llvm::ConstantFolder, llvm::IRBuilderCallbackInserter>(
              Before.getContext(), llvm::ConstantFolder(), Owner.Inserter) {
      SetInsertPoint(&Before);
    }
  };
};

} // namespace atsan

#endif // ATSAN_PASS_READS_DUEREAD_H
