//===- LoopPlan.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop without a visible point can be reported when it is over, as a segment
// can (semantics, rule 8). For that it must be known how often it ran and which
// addresses it accessed, from a few values that are at hand behind it. Why the
// order of reports is sound is said in docs/soundness-pass.md.
//
//===----------------------------------------------------------------------===//

#include "pass/plan/LoopPlan.h"

#include "pass/base/Statistics.h"
#include "pass/plan/FunctionPlan.h"
#include "pass/plan/LoopPieces.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace atsan {

namespace {

/// At most so many instructions are repeated to compute one address.
constexpr unsigned kMaxRecomputed = 8;
/// At most so many segments of a loop are compared to find its cuts.
constexpr size_t kMaxSometimes = 32;

bool isRecomputableWithin(const Value *V, const Loop &L, unsigned &Budget) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (isa<PHINode>(I))
    return I->getParent() == L.getHeader();
  if (!isa<BinaryOperator, CastInst, GetElementPtrInst>(I) || Budget == 0)
    return false;
  --Budget;
  return all_of(I->operands(), [&](const Use &Op) {
    return isRecomputableWithin(Op.get(), L, Budget);
  });
}

/// Whether a value of the loop can be computed for the first iteration, behind
/// the loop, from what the loop does not change.
bool isRecomputable(const Value *V, const Loop &L) {
  unsigned Budget = kMaxRecomputed;
  return isRecomputableWithin(V, L, Budget);
}

/// Whether a stride can be computed behind the loop.
bool isComputable(const SCEV *Stride) {
  switch (Stride->getSCEVType()) {
  case scConstant:
  case scUnknown:
    return true;
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scAddExpr:
  case scMulExpr:
    return all_of(Stride->operands(), isComputable);
  default:
    return false;
  }
}

class LoopPlanner {
public:
  LoopPlanner(Loop &L, LoopAnalyses &Analyses, const DataLayout &DL)
      : L(L), A(Analyses), DL(DL) {}

  /// Fills the plan of a loop that has the given accesses.
  bool run(ArrayRef<Segment *> Segments);

  /// Takes the accesses out of the segments that have been planned, and returns
  /// the plan of what is to be told behind the loop.
  LoopPlan take(BasicBlock *Exit);

private:
  bool findCounter();
  bool findCounterAtHeader();
  bool isCounter(Value *V);
  bool addAccess(const Event &E);

  Loop &L;
  LoopAnalyses &A;
  const DataLayout &DL;
  LoopPlan Plan;
  /// The segments that every iteration gets to, in program order, and the
  /// others.
  SmallVector<Segment *, 4> Always, Sometimes;
  SmallVector<LoopCut, 4> Cuts;
  /// The counter with which the cuts count iterations.
  LoopCounter AtHeader;
};

bool LoopPlanner::isCounter(Value *V) {
  if (!V->getType()->isIntOrPtrTy() || !A.SE.isSCEVable(V->getType()))
    return false;
  auto *Rec = dyn_cast<SCEVAddRecExpr>(A.SE.getSCEV(V));
  if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(A.SE));
  if (!Step || Step->isZero() || !Step->getAPInt().isSignedIntN(16))
    return false;
  uint64_t Bits = DL.getTypeSizeInBits(V->getType()).getFixedValue();
  if (Bits > 64)
    return false;
  // A counter of 64 bits with small steps takes too long to come round.
  constexpr int64_t kSmallStep = 1 << 10;
  int64_t By = Step->getAPInt().getSExtValue();
  if (!Rec->hasNoSelfWrap() && (Bits < 64 || std::abs(By) > kSmallStep))
    return false;
  if (!isRecomputable(V, L))
    return false;
  Plan.Counter = V;
  Plan.Step = By;
  return true;
}

/// Finds a counter, best the value that the exit test compares: that is in a
/// register behind the loop.
bool LoopPlanner::findCounter() {
  auto *Branch = cast<BranchInst>(L.getLoopLatch()->getTerminator());
  if (auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition()))
    for (Value *V : Compare->operands())
      if (auto *I = dyn_cast<Instruction>(V))
        if (L.contains(I) && A.DT.dominates(I->getParent(), L.getLoopLatch()) &&
            isCounter(V))
          return true;
  return findCounterAtHeader();
}

bool LoopPlanner::findCounterAtHeader() {
  return any_of(L.getHeader()->phis(),
                [&](PHINode &Phi) { return isCounter(&Phi); });
}

bool LoopPlanner::addAccess(const Event &E) {
  LoopAccess Access;
  Access.E = E;
  if (!E.isAccess() || E.Shape != Footprint::Block || E.Count || E.From)
    return false;
  const SCEV *Address = A.SE.getSCEV(E.Ptr);
  if (A.SE.isLoopInvariant(Address, &L)) {
    Access.Stride = A.SE.getZero(DL.getIndexType(E.Ptr->getType()));
  } else {
    auto *Rec = dyn_cast<SCEVAddRecExpr>(Address);
    if (!Rec || Rec->getLoop() != &L || !Rec->isAffine())
      return false;
    Access.Stride = Rec->getStepRecurrence(A.SE);
  }
  if (!isComputable(Access.Stride) || !isRecomputable(E.Ptr, L))
    return false;
  Access.Group = groupOf(Plan.Accesses.size(), Cuts);
  Plan.Accesses.push_back(Access);
  addToStreams(Plan, Access, A.SE);
  return true;
}

/// Whether the loop has no cycles but inner loops, besides the way back from
/// the latch: then no other block is visited twice in an iteration.
bool isAcyclic(Loop &L, LoopInfo &LI) {
  LoopBlocksRPO Order(&L);
  Order.perform(&LI);
  SmallPtrSet<const BasicBlock *, 16> Before;
  for (BasicBlock *BB : Order) {
    Before.insert(BB);
    if (any_of(successors(BB), [&](const BasicBlock *To) {
          return Before.contains(To) &&
                 !(LI.isLoopHeader(To) && LI.getLoopFor(To)->contains(BB));
        }))
      return false;
  }
  return true;
}

bool LoopPlanner::run(ArrayRef<Segment *> Segments) {
  Plan.L = &L;
  BasicBlock *Latch = L.getLoopLatch();
  // Every iteration ends at the latch, and the loop ends there only: so every
  // iteration makes what dominates the latch, once.
  if (!L.getLoopPredecessor() || !Latch || L.getExitingBlock() != Latch ||
      !isa<BranchInst>(Latch->getTerminator()) || !isAcyclic(L, A.LI)) {
    ++stats::LoopsWithOtherExits;
    return false;
  }
  for (Segment *S : Segments)
    (A.DT.dominates(S->block(), Latch) ? Always : Sometimes).push_back(S);
  // Blocks that dominate the latch dominate one another, in program order.
  llvm::sort(Always, [&](const Segment *S, const Segment *T) {
    return A.DT.properlyDominates(S->block(), T->block());
  });
  if (Sometimes.size() <= kMaxSometimes)
    Cuts = findCuts(Always, Sometimes, A.DT);
  if (Always.empty() || Sometimes.size() > kMaxSometimes ||
      Cuts.size() > kMaxCuts) {
    ++stats::LoopsWithConditions;
    return false;
  }
  for (const Segment *S : Always)
    for (const Event &E : S->Events)
      if (!addAccess(E)) {
        ++stats::LoopsOfUnknownAddress;
        return false;
      }
  if (Cuts.size() > 1 && Plan.Streams.size() > kMaxStreams) {
    ++stats::LoopsWithConditions;
    return false;
  }
  unsigned Iterations = A.SE.getSmallConstantTripCount(&L);
  if (Iterations && Iterations <= kFewIterations && !Plan.isOneStream() &&
      !Plan.isOneLocation()) {
    ++stats::LoopsOfFewIterations;
    return false;
  }
  if (!Cuts.empty() && findCounterAtHeader())
    AtHeader = {cast<PHINode>(Plan.Counter), Plan.Step};
  if ((!Cuts.empty() && !AtHeader.Phi) || !findCounter()) {
    ++stats::LoopsOfUnknownCount;
    return false;
  }
  return true;
}

LoopPlan LoopPlanner::take(BasicBlock *Exit) {
  for (Segment *S : Always)
    S->Events.clear();
  if (!Cuts.empty())
    cutLoop(Plan, AtHeader, Cuts, Exit);
  return std::move(Plan);
}

} // namespace

bool LoopPlan::isInvariant() const {
  return all_of(Accesses,
                [](const LoopAccess &A) { return A.Stride->isZero(); });
}

bool LoopPlan::isOneLocation() const {
  const Event &First = Accesses.front().E;
  return isInvariant() && all_of(Accesses, [&](const LoopAccess &A) {
           return A.E.Ptr == First.Ptr && A.E.Offset == First.Offset &&
                  A.E.Size == First.Size;
         });
}

/// The block where the loop is left: a new one if something else leads there.
static BasicBlock *exitOf(Loop &L, LoopAnalyses &A) {
  BasicBlock *Exit = L.getExitBlock();
  if (Exit->getSinglePredecessor())
    return Exit;
  return SplitEdge(L.getLoopLatch(), Exit, &A.DT, &A.LI);
}

void planLoops(Function &F, LoopAnalyses &Analyses, FunctionPlan &Plan) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  DenseMap<const BasicBlock *, SmallVector<Segment *, 1>> SegmentsOf;
  for (Segment &S : Plan.Segments)
    SegmentsOf[S.block()].push_back(&S);

  SmallVector<Segment, 4> Behind;
  for (Loop *L : Analyses.LI.getLoopsInPreorder()) {
    SmallVector<Segment *, 4> Segments;
    for (BasicBlock *BB : L->blocks())
      append_range(Segments, SegmentsOf.lookup(BB));
    // What an inner loop accesses is up to that loop.
    if (Segments.empty() || any_of(Segments, [&](const Segment *S) {
          return Analyses.LI.getLoopFor(S->block()) != L;
        }))
      continue;
    if (any_of(L->blocks(), [&](const BasicBlock *BB) {
          return Plan.VisibleBlocks.contains(BB);
        })) {
      ++stats::LoopsWithVisiblePoints;
      continue;
    }
    LoopPlanner Planner(*L, Analyses, DL);
    if (!Planner.run(Segments))
      continue;
    ++stats::Loops;
    BasicBlock *Exit = exitOf(*L, Analyses);
    ArrayRef<Segment *> AtExit = SegmentsOf[Exit];
    if (!AtExit.empty() && AtExit.front()->IsFirst) {
      AtExit.front()->Loop = Planner.take(Exit);
      continue;
    }
    Segment S;
    S.Loop = Planner.take(Exit);
    S.InsertBefore = &*Exit->getFirstInsertionPt();
    Behind.push_back(std::move(S));
  }
  erase_if(Plan.Segments,
           [](const Segment &S) { return S.Events.empty() && !S.Loop; });
  // Loops last, which are emitted first: of two segments that go to the same
  // place, the loop's comes before the other's.
  Plan.Segments.append(std::make_move_iterator(Behind.begin()),
                       std::make_move_iterator(Behind.end()));
}

} // namespace atsan
