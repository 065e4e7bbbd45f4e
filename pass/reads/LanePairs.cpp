//===- LanePairs.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pass/reads/LanePairs.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace atsan {

using Sources = SmallVector<SmallVector<int, 2>>;

Type *LanePairs::typeFor(LLVMContext &Context, size_t Count) {
  Type *Ty = Type::getInt1Ty(Context);
  return Count > 1 ? FixedVectorType::get(Ty, Count) : Ty;
}

SmallVector<LanePair, 0> LanePairs::of(const Value &V) const {
  // Any lane with any lane, as of a shuffle by variable numbers, would be too
  // many truth values: then the load's lanes alone are told apart.
  constexpr size_t kMostPairs = 128;
  SmallVector<LanePair, 0> Pairs;
  MapVector<unsigned, SmallVector<unsigned, 1>> OfLoad;
  auto It = Loaded.values().find(&V);
  if (It == Loaded.values().end())
    return Pairs;
  for (const auto &[Lane, Set] : enumerate(It->second))
    for (unsigned Other : Set.set_bits())
      if (Part.test(Other)) {
        Pairs.push_back({{unsigned(Lane)}, Other});
        OfLoad[Other].push_back(Lane);
      }
  if (Pairs.size() <= kMostPairs)
    return Pairs;
  Pairs.clear();
  for (auto &[Other, Lanes] : OfLoad)
    Pairs.push_back({Lanes, Other});
  return Pairs;
}

Value *gatherLanes(IRBuilderBase &IRB, Value *Truth,
                   ArrayRef<SmallVector<int, 2>> Lanes) {
  auto *Vector = dyn_cast<FixedVectorType>(Truth->getType());
  if (!Vector) {
    SmallVector<Constant *, 16> IsTaken;
    for (const auto &From : Lanes)
      IsTaken.push_back(IRB.getInt1(!From.empty()));
    if (Lanes.size() <= 1)
      return Lanes.empty() || Lanes[0].empty() ? IRB.getFalse() : Truth;
    return IRB.CreateAnd(IRB.CreateVectorSplat(Lanes.size(), Truth),
                         ConstantVector::get(IsTaken));
  }
  const int Count = Vector->getNumElements();
  if (Lanes.size() <= 1) {
    Value *Any = IRB.getFalse();
    if (Lanes.empty())
      return Any;
    if (int(Lanes[0].size()) == Count)
      return IRB.CreateOrReduce(Truth);
    for (int From : Lanes[0])
      Any = IRB.CreateOr(Any, IRB.CreateExtractElement(Truth, From));
    return Any;
  }
  size_t Most = 1;
  for (const auto &From : Lanes)
    Most = std::max(Most, From.size());
  Value *None = Constant::getNullValue(Vector), *Result = nullptr;
  for (size_t I = 0; I != Most; ++I) {
    SmallVector<int, 16> Mask;
    for (const auto &From : Lanes)
      Mask.push_back(I < From.size() ? From[I] : Count);
    bool IsSame = int(Mask.size()) == Count &&
                  ShuffleVectorInst::isIdentityMask(Mask, Count);
    Value *More = IsSame ? Truth : IRB.CreateShuffleVector(Truth, None, Mask);
    Result = Result ? IRB.CreateOr(Result, More) : More;
  }
  return Result;
}

Value *LanePairs::ofUser(IRBuilderBase &IRB, Value *Truth, const Use &U) const {
  auto From = of(*U.get()), To = of(*U.getUser());
  DenseMap<std::pair<unsigned, unsigned>, SmallVector<int, 2>> Begin;
  for (const auto &[N, Pair] : enumerate(From))
    for (unsigned Lane : Pair.Lanes)
      Begin[{Lane, Pair.OfLoad}].push_back(N);
  DenseMap<unsigned, SmallVector<unsigned, 4>> Taken;
  forEachTaken(U, [&](unsigned Lane, unsigned OfUser) {
    Taken[OfUser].push_back(Lane);
  });
  Sources Lanes;
  for (const LanePair &Pair : To) {
    SmallSetVector<int, 4> Found;
    for (unsigned OfUser : Pair.Lanes)
      for (unsigned Lane : Taken.lookup(OfUser))
        for (int N : Begin.lookup({Lane, Pair.OfLoad}))
          Found.insert(N);
    Lanes.emplace_back(Found.begin(), Found.end());
  }
  return gatherLanes(IRB, Truth, Lanes);
}

Value *LanePairs::ofValue(IRBuilderBase &IRB, Value *Truth,
                          const Value &V) const {
  auto Pairs = of(V);
  auto *Vector = dyn_cast<FixedVectorType>(Truth->getType());
  auto *Own = dyn_cast<FixedVectorType>(V.getType());
  if (Vector && (!Own || Own->getNumElements() != Vector->getNumElements()))
    Truth = IRB.CreateOrReduce(Truth);
  Sources Lanes;
  for (const LanePair &Pair : Pairs)
    Lanes.emplace_back(Pair.Lanes.begin(), Pair.Lanes.end());
  return gatherLanes(IRB, Truth, Lanes);
}

Value *LanePairs::ofLoad(IRBuilderBase &IRB, Value *Truth,
                         const Value &V) const {
  Sources Lanes;
  auto Pairs = of(V);
  for (unsigned OfLoad : Part.set_bits()) {
    Lanes.emplace_back();
    for (const auto &[N, Pair] : enumerate(Pairs))
      if (Pair.OfLoad == OfLoad)
        Lanes.back().push_back(N);
  }
  return gatherLanes(IRB, Truth, Lanes);
}

Value *LanePairs::ofAllLanes(IRBuilderBase &IRB, Value *Truth) const {
  if (Part.size() == 1)
    return IRB.CreateVectorSplat(1, Truth);
  Sources Lanes(Part.size());
  for (const auto &[N, OfLoad] : enumerate(Part.set_bits()))
    Lanes[OfLoad].push_back(N);
  return gatherLanes(IRB, Truth, Lanes);
}

} // namespace atsan
