//===- AccessRun.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is moved: a run ends where the next event is anything else, because
// outside regions the order of a thread's accesses matters. A report names the
// line of the hook, so a run ends with the line, too.
//
//===----------------------------------------------------------------------===//

#include "pass/plan/AccessRun.h"
#include "pass/accesses/CopyParts.h"
#include "pass/base/Options.h"
#include "pass/reads/SourceMarks.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Value.h"

using namespace llvm;
using atsan_abi::kGranule;

namespace atsan {

namespace {

/// An address as a value and a constant distance from it.
struct Place {
  const Value *Base;
  APInt Offset;
};

Place placeOf(const Event &E, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(E.Ptr->getType()), E.Offset);
  const Value *Base = E.Ptr->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  return {Base, Offset};
}

/// Whether accesses like this one may be told together: of at most a granule,
/// or several already.
bool mayBegin(const Event &E) {
  return E.isAccess() && E.Shape == Footprint::Block && !E.Count &&
         (unitOf(E) <= kGranule || unitOf(E) != E.Size);
}

} // namespace

bool isSameLine(const DebugLoc &A, const DebugLoc &B) {
  if (!A || !B)
    return !A && !B;
  return A.getLine() == B.getLine() && A.getInlinedAt() == B.getInlinedAt() &&
         A->getFile() == B->getFile();
}

uint64_t unitOf(const Event &E) {
  const Instruction *Access = E.From ? E.From : E.At;
  const uint64_t Size = Access ? elementsOf(*Access) : 0;
  return Size && E.Size % Size == 0 ? Size : E.Size;
}

bool fitsGranule(const Event &E, const DataLayout &DL) {
  if (E.Alignment.value() >= E.Size)
    return true;
  // A field at a known offset of something aligned.
  Place At = placeOf(E, DL);
  return At.Base->getPointerAlignment(DL).value() >= kGranule &&
         At.Offset.getLoBits(3).getZExtValue() + E.Size <= kGranule;
}

/// Whether the access begins where a granule does.
static bool beginsGranule(const Event &E, const DataLayout &DL) {
  if (E.Alignment.value() >= kGranule)
    return true;
  const Place At = placeOf(E, DL);
  return At.Base->getPointerAlignment(DL).value() >= kGranule &&
         At.Offset.getLoBits(3).isZero();
}

AccessRun firstRun(ArrayRef<Event> Events, const DataLayout &DL,
                   function_ref<DebugLoc(const Event &)> LocationOf) {
  const Event &First = Events.front();
  if (!mayBegin(First))
    return {};
  const uint64_t Unit = unitOf(First);
  AccessRun Run;
  Run.Unit = Unit;
  Run.OfGranules = Unit == kGranule && beginsGranule(First, DL);
  const Place Begin = placeOf(First, DL);
  const DebugLoc Loc = LocationOf(First);
  uint64_t Bytes = First.Size;
  for (; RunHooks && Run.Events != Events.size(); ++Run.Events) {
    const Event &E = Events[Run.Events];
    if (E.Kind != First.Kind || !mayBegin(E) || unitOf(E) != Unit ||
        !isSameLine(Loc, LocationOf(E)))
      break;
    const Place At = placeOf(E, DL);
    if (At.Base != Begin.Base || At.Offset != Begin.Offset + Bytes)
      break;
    Bytes += E.Size;
  }
  Run.Accesses = Bytes / Unit;
  return Run;
}

static std::optional<CopyPart> partOf(const Event &E) {
  if (!E.isAccess() || E.Shape != Footprint::Block || E.Count || E.From ||
      !E.At)
    return std::nullopt;
  return copyPartOf(*E.At);
}

bool isNextPart(const Event &Parts, const Event &E, const DataLayout &DL) {
  const auto Begin = partOf(Parts), Part = partOf(E);
  if (!Begin || !Part || E.Kind != Parts.Kind || Part->Copy != Begin->Copy ||
      Part->Offset != Begin->Offset + Parts.Size)
    return false;
  const Place From = placeOf(Parts, DL), At = placeOf(E, DL);
  return At.Base == From.Base && At.Offset == From.Offset + Parts.Size;
}

DebugLoc commonLocation(const DebugLoc &First, const DebugLoc &Other) {
  if (!First || First.getCol() == Other.getCol())
    return First;
  return DILocation::get(First->getContext(), First.getLine(), /*Column=*/0,
                         First->getScope(), First.getInlinedAt());
}

} // namespace atsan
