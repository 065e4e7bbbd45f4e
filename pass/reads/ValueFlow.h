//===- ValueFlow.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the value of a load matters. A load whose value has no effect on the
// rest of a run need not be one that the source makes: see DueReads.h.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_VALUEFLOW_H
#define ATSAN_PASS_READS_VALUEFLOW_H

#include "pass/accesses/Barrier.h"
#include "pass/accesses/Effect.h"
#include "pass/reads/LoadedBytes.h"
#include "pass/reads/UnknownLoads.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace atsan {

class ValueFlow {
public:
  using Values = llvm::SmallSetVector<llvm::Instruction *, 16>;
  using Edges = llvm::DenseSet<
      std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>;

  ValueFlow(llvm::Instruction &Load, const LoadedBytes &Loaded,
            const Bytes &Part, const UnknownLoads &Loads, llvm::AAResults &AA,
            const llvm::DominatorTree &DT, const llvm::TargetLibraryInfo &TLI)
      : Load(Load), Loaded(Loaded), Part(Part), Loads(Loads),
        Location(llvm::MemoryLocation::getOrNone(&Load)), AA(AA), DT(DT),
        TLI(TLI) {}

  /// What a use makes of the part of the load.
  Effect effectOf(const llvm::Use &U) const;

  /// Returns None also if the use may look only at what was computed of the
  /// part.
  Effect certainEffectOf(const llvm::Use &U) const {
    return Loaded.looksInPlace(U, Part) ? effectOf(U) : Effect::None;
  }

  /// True if the other operand of a logical operation can make the load
  /// irrelevant.
  bool canMakeIrrelevant(const llvm::Value &Other) const {
    return Loads.isKnownBefore(Other, Load);
  }

  /// Whether the instruction is a barrier for the part: see Barrier.h.
  bool isBarrier(const llvm::Instruction &I) const {
    return atsan::isBarrier(I, Location, AA, TLI);
  }

  /// True if, whatever way the function takes from here, the value of From, or
  /// one that depends on it, matters. Behind a barrier counts too, as long as
  /// the value is kept for it: the source made the read before the barrier.
  bool surelyMatters(llvm::Instruction &From) const;

  /// All values that depend on the given one.
  Values dependents(llvm::Instruction &From) const;

  /// Leaves those that depend on the load however control got to them, if it
  /// took the given edges only.
  void keepCertain(Values &Candidates, const llvm::Instruction &From,
                   const Edges &Taken) const;

  /// True if control can get from the instruction to the use of a value that
  /// exists there, without computing the value anew.
  bool isReachedFrom(const llvm::Use &U, const llvm::Instruction &I) const;

  /// True if control can get from one instruction to the other, without
  /// computing the value, if any is given, anew.
  bool isReachedFrom(const llvm::Instruction &To, const llvm::Instruction &From,
                     const llvm::Instruction *Value) const;

  /// True if the value exists at the instruction and has uses behind it, of
  /// those that count.
  bool isLiveAcross(const llvm::Instruction &Value,
                    const llvm::Instruction &I) const;

private:
  /// Remembers whether a value that was followed is chosen.
  using Chosen = llvm::SmallDenseMap<const llvm::Instruction *, bool>;
  bool isChosenFrom(const llvm::Instruction &Value,
                    const llvm::Instruction &From, const Values &Certain,
                    Chosen &Known) const;
  bool walk(const llvm::Instruction &From, const Values &Certain,
            Edges &Taken) const;
  bool isOutdated(const llvm::Instruction &Value, const llvm::Instruction &From,
                  const llvm::Instruction &At) const;
  bool isUsedUp(const llvm::Instruction &From, const Values &Certain,
                const llvm::Instruction &I) const;

  llvm::Instruction &Load;
  const LoadedBytes &Loaded;
  const Bytes &Part;
  const UnknownLoads &Loads;
  std::optional<llvm::MemoryLocation> Location; // None if there are several.
  llvm::AAResults &AA;
  const llvm::DominatorTree &DT;
  const llvm::TargetLibraryInfo &TLI;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_VALUEFLOW_H
