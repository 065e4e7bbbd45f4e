//===- HookEmitter.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits what a plan says. Decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_EMIT_HOOKEMITTER_H
#define ATSAN_PASS_EMIT_HOOKEMITTER_H

#include "pass/base/RuntimeHooks.h"
#include "pass/plan/FunctionPlan.h"

namespace atsan {

class LoopValues;
struct AccessRun;

/// Emits a plan. The hooks for whole loops are in LoopEmitter.cpp.
class HookEmitter {
public:
  HookEmitter(llvm::Function &F, RuntimeHooks &Hooks);
  void emit(const FunctionPlan &Plan);

private:
  void emitSegment(const Segment &S);
  void emitEvents(llvm::IRBuilderBase &IRB, const Segment &S);
  void emitRun(llvm::IRBuilderBase &IRB, llvm::ArrayRef<Event> Events,
               const AccessRun &Run);
  void emitSideBySide(llvm::IRBuilderBase &IRB, EventKind Kind,
                      llvm::Value *Ptr, uint64_t Unit, uint64_t Accesses);
  void emitLoop(llvm::Instruction *Before, const LoopPlan &Loop);
  void emitOnce(llvm::IRBuilderBase &IRB, const LoopPlan &Loop,
                const LoopValues &Values);
  void emitStream(llvm::IRBuilderBase &IRB, const LoopStream &S,
                  const LoopValues &Values);
  void emitStreams(llvm::IRBuilderBase &IRB, const LoopPlan &Loop,
                   const LoopValues &Values);
  llvm::Value *emitIsTogether(llvm::Instruction *Before, const LoopPlan &Loop,
                              const LoopValues &Values);
  void emitInOrder(llvm::Instruction *Before, const LoopPlan &Loop,
                   const LoopValues &Values);
  void emitEvent(llvm::IRBuilderBase &IRB, const Event &E);
  /// Emits the hook of a block whose address is Ptr in place of E.Ptr.
  void emitBlock(llvm::IRBuilderBase &IRB, const Event &E, llvm::Value *Ptr);
  void emitLanes(llvm::IRBuilderBase &IRB, const Event &E);
  void emitFrame(llvm::IRBuilderBase &IRB, const Event &E);
  void emitPacked(llvm::IRBuilderBase &IRB, const Event &E);
  void emitRange(llvm::IRBuilderBase &IRB, EventKind Kind, llvm::Value *Ptr,
                 llvm::Value *Size);
  void emitAtomic(const Event &E);
  void emitJump(llvm::CallBase &Call);

  llvm::Value *laneAddress(llvm::IRBuilderBase &IRB, const Event &E,
                           unsigned Lane);
  llvm::Value *activeLanes(llvm::IRBuilderBase &IRB, const Event &E);
  llvm::Instruction *branchIf(llvm::Value *Cond, llvm::Instruction *Before,
                              llvm::MDNode *Weights);
  llvm::DebugLoc location(const Event &E) const;

  llvm::Function &F;
  RuntimeHooks &Hooks;
  llvm::DebugLoc EntryLoc;
};

} // namespace atsan

#endif // ATSAN_PASS_EMIT_HOOKEMITTER_H
