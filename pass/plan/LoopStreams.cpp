//===- LoopStreams.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts together again what unrolling and vectorizing made of one access of the
// source, and what is the same memory, or the next, in the order of a loop.
//
//===----------------------------------------------------------------------===//

#include "pass/plan/AccessRun.h"
#include "pass/plan/LoopPlan.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace atsan {

namespace {

/// A hook of the runtime takes accesses of at most this many bytes.
constexpr uint64_t kMaxUnit = 16;

uint64_t unitForHook(const Event &E) {
  const uint64_t Unit = unitOf(E);
  return Unit <= kMaxUnit ? Unit : MinAlign(Unit, 8);
}

bool isSamePlace(const DebugLoc &A, const DebugLoc &B) {
  return isSameLine(A, B) && (!A || A.getCol() == B.getCol());
}

std::optional<int64_t> distance(const LoopAccess &From, const LoopAccess &To,
                                ScalarEvolution &SE) {
  auto *Difference = dyn_cast<SCEVConstant>(
      SE.getMinusSCEV(SE.getSCEV(To.E.Ptr), SE.getSCEV(From.E.Ptr)));
  if (!Difference || !Difference->getAPInt().isSignedIntN(32))
    return std::nullopt;
  return Difference->getAPInt().getSExtValue() + int64_t(To.E.Offset) -
         int64_t(From.E.Offset);
}

/// Merges an access with a stream that makes it some iterations earlier or
/// later, as in `a[i - 1] + a[i]`: in one transaction, both are one stream that
/// goes further. The line must be the same; the column is that of the first
/// access.
bool mergeAhead(LoopStream &S, const LoopAccess &Access, int64_t Far) {
  auto *Constant = dyn_cast<SCEVConstant>(Access.Stride);
  if (!Constant || Constant->isZero() || S.Size != S.Unit ||
      Access.E.Size != S.Unit || !Constant->getAPInt().isSignedIntN(31) ||
      !isSameLine(S.Lowest.E.At->getDebugLoc(), Access.E.At->getDebugLoc()))
    return false;
  int64_t Stride = Constant->getAPInt().getSExtValue();
  if (Far % Stride != 0)
    return false;
  // There must be no gap, even where the loop has one iteration only.
  int64_t Ahead = Far / Stride;
  if (Ahead < -1 || Ahead > int64_t(S.Ahead) + 1)
    return false;
  if (Ahead == -1)
    S.Lowest = Access;
  if (Ahead == -1 || Ahead == int64_t(S.Ahead) + 1)
    ++S.Ahead;
  return true;
}

} // namespace

bool LoopStream::isContiguous() const {
  auto *Stride = dyn_cast<SCEVConstant>(Lowest.Stride);
  return Stride && Stride->getAPInt().abs() == Size;
}

void addToStreams(LoopPlan &Plan, const LoopAccess &Access,
                  ScalarEvolution &SE) {
  const uint64_t Unit = unitForHook(Access.E);
  for (LoopStream &S : Plan.Streams) {
    const Event &Other = S.Lowest.E;
    if (Other.Kind != Access.E.Kind || S.Lowest.Stride != Access.Stride ||
        S.Unit != Unit || S.Lowest.Group != Access.Group)
      continue;
    std::optional<int64_t> Far = distance(S.Lowest, Access, SE);
    if (!Far)
      continue;
    // To tell an access twice in one transaction adds nothing.
    if (*Far >= 0 && uint64_t(*Far) + Access.E.Size <= S.Size) {
      Plan.IsRearranged = true;
      return;
    }
    if (mergeAhead(S, Access, *Far)) {
      Plan.IsRearranged = true;
      return;
    }
    if (Access.Stride->isZero() || S.Ahead ||
        !isSamePlace(Other.At->getDebugLoc(), Access.E.At->getDebugLoc()))
      continue;
    // A stream grows in the direction of the loop only, so that it is in order.
    auto *Stride = dyn_cast<SCEVConstant>(Access.Stride);
    bool IsDown = Stride && Stride->getAPInt().isNegative();
    if (!IsDown && *Far == int64_t(S.Size)) {
      S.Size += Access.E.Size;
      return;
    }
    if (IsDown && *Far == -int64_t(Access.E.Size)) {
      S.Lowest = Access;
      S.Size += Access.E.Size;
      return;
    }
  }
  LoopStream S;
  S.Lowest = Access;
  S.Size = Access.E.Size;
  S.Unit = Unit;
  Plan.Streams.push_back(S);
}

} // namespace atsan
