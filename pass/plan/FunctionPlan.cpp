//===- FunctionPlan.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts each basic block into segments. A segment ends at a visible point: at
// what may order this thread's accesses with those of others (a call, unless it
// is of sqrt or its like; an atomic, a fence, inline assembly, a volatile
// access) and at the end of the block. To report the accesses of a segment at
// its end is to report a schedule that the machine could have run, because no
// synchronization tells where in the segment each happened (semantics, rule 8).
//
//===----------------------------------------------------------------------===//

#include "pass/plan/FunctionPlan.h"

#include "pass/accesses/AccessSelection.h"
#include "pass/accesses/ArithmeticCalls.h"
#include "pass/accesses/ComparisonCalls.h"
#include "pass/base/Statistics.h"
#include "pass/plan/AccessRun.h"
#include "pass/plan/StackObjects.h"
#include "pass/reads/DueReads.h"
#include "pass/selection/FunctionSelection.h"
#include "pass/selection/PrivateMemory.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace atsan {

namespace {

/// A block that runs this many times less often than its function is rare.
constexpr uint64_t kRare = 16;
/// One in a loop is, if it runs this many times less often than the loop's
/// header, too: what LLVM knows of it, such as that it throws, or was told.
/// What it guesses of loops would make the way to each match of a compressor
/// rare.
constexpr uint64_t kRareInLoop = 1024;
/// A block that runs this many times more often than its function is hot: it is
/// within more than two loops.
constexpr uint64_t kHot = 1024;

/// Whether the first access tells all that the second would, the next one in
/// the segment: it has the second's bytes, and no read stands for a write.
///
/// Sound for adjacent events only. In one transaction, the second has no edge
/// that the first has not: nobody came in between (rule 8), so the last writer
/// is the same or is the first access itself. As unary transactions, the two
/// may be merged only if the merged node cannot be entered behind its first
/// access; an access to other bytes between them could be entered: with `R x, R
/// y, R x` by one thread and a region `W y .. W x` by another, only the second
/// `R x` closes the cycle. A read before a write is no such repeat: the region
/// `R x .. W x` is violated by a write of x in between.
bool isRepeat(const Event &First, const Event &Second) {
  return First.isAccess() && Second.isAccess() &&
         First.Shape == Footprint::Block && Second.Shape == Footprint::Block &&
         !First.Count && !Second.Count && First.Ptr == Second.Ptr &&
         First.Offset <= Second.Offset &&
         First.Offset + First.Size >= Second.Offset + Second.Size &&
         (First.Kind == EventKind::Write || Second.Kind == EventKind::Read);
}

class Planner {
public:
  Planner(Function &F, ConfinedMemory &Confined,
          const BlockFrequencyInfo &Frequencies, AAResults &AA)
      : F(F), IsScheduled(isScheduledBody(F)), TLI(Confined.libraryOf(F)),
        Frequencies(Frequencies), Private(F, Confined), Stack(F, Private),
        Selection(F.getParent()->getDataLayout(), Private),
        Due(F, Selection, AA, TLI), Dominators(F), Loops(Dominators) {}

  FunctionPlan run() {
    for (BasicBlock &BB : F)
      visitBlock(BB);
    Plan.Outdated.assign(Stack.outdated().begin(), Stack.outdated().end());
    append_range(Plan.Shared, Private.sharedAllocas());
    return std::move(Plan);
  }

private:
  void visitBlock(BasicBlock &BB);
  void visit(Instruction &I);
  void visitCall(CallBase &Call);
  void visitAtomicCall(CallBase &Call, const AtomicCall &C);
  void append(const Event &E);
  void flush(Instruction &VisiblePoint);
  uint64_t frequencyIfChosen(const BasicBlock &BB) const;
  bool isRare(const BasicBlock &BB) const;
  bool isHot(const BasicBlock &BB) const;

  Function &F;
  const bool IsScheduled; // Points tell of loads and stores.
  const TargetLibraryInfo &TLI;
  const BlockFrequencyInfo &Frequencies;
  PrivateMemory Private;
  StackObjects Stack;
  AccessSelection Selection;
  DueReads Due;
  const DominatorTree Dominators;
  const LoopInfo Loops;
  FunctionPlan Plan;
  Segment Current;
  Instruction *LastAccess = nullptr; // Belongs to the current segment.
};

void Planner::append(const Event &E) {
  if (!Current.Events.empty()) {
    Event &Before = Current.Events.back();
    if (isRepeat(Before, E)) {
      ++stats::SkippedRepeat;
      return;
    }
    if (isNextPart(Before, E, F.getParent()->getDataLayout())) {
      Before.Size += E.Size;
      LastAccess = E.At;
      return;
    }
  }
  Current.Events.push_back(E);
  LastAccess = E.At;
}

/// How often the block would run if each switch on the way to it chose that
/// way: the cases of an interpreter are rare one by one, but not together.
uint64_t Planner::frequencyIfChosen(const BasicBlock &BB) const {
  uint64_t Often = Frequencies.getBlockFreq(&BB).getFrequency();
  // One that was made since, on an edge, is not known.
  if (const BasicBlock *From = BB.getSinglePredecessor(); From && Often == 0)
    Often = Frequencies.getBlockFreq(From).getFrequency();
  const DomTreeNode *Node = Dominators.getNode(&BB);
  for (; Node && Node->getIDom(); Node = Node->getIDom()) {
    const BasicBlock *Before = Node->getIDom()->getBlock();
    const unsigned Ways = Before->getTerminator()->getNumSuccessors();
    if (Ways > 2 && is_contained(successors(Before), Node->getBlock()))
      Often = SaturatingMultiply<uint64_t>(Often, Ways);
  }
  return Often;
}

/// True if a test of the gate would save next to nothing: cleanups, errors and
/// what a program does once. The test is a matter of speed only, since the gate
/// may close between a test and its hooks; without it the code is smaller.
bool Planner::isRare(const BasicBlock &BB) const {
  if (F.hasMinSize())
    return true;
  uint64_t Often = frequencyIfChosen(BB);
  uint64_t Entry = Frequencies.getEntryFreq().getFrequency();
  // Clang puts the constructors of globals into .text.startup.
  bool IsOnce = F.getName() == "main" || F.getSection() == ".text.startup";
  if (IsOnce)
    return Often <= Entry;
  if (Often > Entry / kRare)
    return false;
  const Loop *L = Loops.getLoopFor(&BB);
  return !L ||
         Often <= Frequencies.getBlockFreq(L->getHeader()).getFrequency() /
                      kRareInLoop;
}

bool Planner::isHot(const BasicBlock &BB) const {
  return Frequencies.getBlockFreq(&BB).getFrequency() / kHot >
         Frequencies.getEntryFreq().getFrequency();
}

/// Ends the current segment. Its hooks go right behind the last event, but
/// before the visible point where that is an event itself (a copy made by a
/// call, a death at a return).
void Planner::flush(Instruction &VisiblePoint) {
  const BasicBlock *BB = VisiblePoint.getParent();
  Current.IsFirst = !Plan.VisibleBlocks.contains(BB);
  if (!VisiblePoint.isTerminator() || isa<CallBase>(VisiblePoint))
    Plan.VisibleBlocks.insert(BB);
  if (Current.Events.empty())
    return;
  Current.InsertBefore = !LastAccess || LastAccess == &VisiblePoint
                             ? &VisiblePoint
                             : LastAccess->getNextNode();
  Current.IsRare = isRare(*BB);
  Current.IsHot = isHot(*BB);
  Plan.Segments.push_back(std::move(Current));
  Current = Segment();
}

/// Whether the call needs a hook for jumps. The runtime intercepts longjmp and
/// setcontext itself.
bool isJump(const CallBase &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  if (ID == Intrinsic::eh_sjlj_setjmp || ID == Intrinsic::eh_sjlj_longjmp)
    return true;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Call.arg_empty() ||
      !Call.getArgOperand(0)->getType()->isPointerTy())
    return false;
  StringRef Name = Callee->getName();
  return Name == "setjmp" || Name == "_setjmp" || Name == "sigsetjmp" ||
         Name == "__sigsetjmp" || Name == "getcontext";
}

void Planner::visitAtomicCall(CallBase &Call, const AtomicCall &C) {
  SmallVector<Event, 2> Before, Behind;
  Event Atomic;
  bool IsSelected = Selection.selectAtomicCall(Call, C, Atomic, Before, Behind);
  for (const Event &E : Before)
    append(E);
  flush(Call);
  if (IsSelected)
    Plan.Atomics.push_back(Atomic);
  for (const Event &E : Behind)
    append(E);
}

void Planner::visitCall(CallBase &Call) {
  if (std::optional<AtomicCall> C = atomicCall(Call))
    return visitAtomicCall(Call, *C);
  if (isArithmetic(Call, TLI))
    return;
  SmallVector<Event, 2> Copies;
  Selection.describe(Call, Copies);
  for (const Event &E : Copies)
    append(E);
  BasicBlock *BB = Call.getParent();
  // Nothing may stand between such a call and the return that follows.
  if (&Call == BB->getTerminatingMustTailCall() ||
      &Call == BB->getTerminatingDeoptimizeCall())
    for (const Event &E : Stack.atExit(Call))
      append(E);
  flush(Call);
  if (auto *Plain = dyn_cast<CallInst>(&Call); Plain && isExpandable(*Plain))
    Plan.Comparisons.push_back(Plain);
  if (isJump(Call)) {
    ++stats::Jumps;
    Plan.Jumps.push_back(&Call);
  }
}

void Planner::visit(Instruction &I) {
  if (Due.isPutOff(I))
    return;
  if (const Event *E = Stack.at(I))
    return append(*E);
  if (auto *II = dyn_cast<IntrinsicInst>(&I); II && isInvisible(*II)) {
    SmallVector<Event, 2> Events;
    if (II->isVolatile())
      flush(I);
    if (std::optional<Event> E = Stack.atRestore(*II))
      append(*E);
    Selection.describe(I, Events);
    for (const Event &E : Events)
      append(E);
    return;
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  if (isa<FenceInst>(I))
    return flush(I);
  if (I.isAtomic()) {
    flush(I);
    Event E;
    if (Selection.selectAtomic(I, E))
      Plan.Atomics.push_back(E);
    return;
  }
  if (I.isVolatile())
    flush(I);
  if (IsScheduled && isa<LoadInst, StoreInst>(I))
    return;
  SmallVector<Event, 2> Events;
  Selection.describe(I, Events);
  for (const Event &E : Events)
    append(E);
}

void Planner::visitBlock(BasicBlock &BB) {
  if (&BB == &F.getEntryBlock())
    for (const Event &E : Stack.atEntry())
      append(E);
  for (Instruction &I : make_early_inc_range(BB)) {
    if (const Event *E = Stack.frameBirthAt(I))
      append(*E);
    for (const Event &E : Due.at(I))
      append(E);
    if (!I.isTerminator()) {
      visit(I);
      continue;
    }
    bool IsExit = isa<ReturnInst, ResumeInst>(I) &&
                  !BB.getTerminatingMustTailCall() &&
                  !BB.getTerminatingDeoptimizeCall();
    if (IsExit)
      for (const Event &E : Stack.atExit(I))
        append(E);
    if (auto *Call = dyn_cast<CallBase>(&I))
      visitCall(*Call);
    flush(I);
  }
}

} // namespace

FunctionPlan planFunction(Function &F, ConfinedMemory &Confined,
                          const BlockFrequencyInfo &Frequencies,
                          AAResults &AA) {
  return Planner(F, Confined, Frequencies, AA).run();
}

} // namespace atsan
