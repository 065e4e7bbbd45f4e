//===- LoadedBytes.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which bytes of a loaded value have an influence by way of which use. A load
// that the optimizer made wide, or of several, is followed part by part.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_READS_LOADEDBYTES_H
#define ATSAN_PASS_READS_LOADEDBYTES_H

#include "pass/reads/LoadedLanes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/Instruction.h"

namespace atsan {

/// Some of the bytes of a load, or all.
using Bytes = llvm::SmallBitVector;

/// The bytes of a load that its uses look at, as far as that is known.
class LoadedBytes {
public:
  LoadedBytes(llvm::Instruction &Load, llvm::DemandedBits &Demanded);

  unsigned size() const { return Size; }

  /// Bytes that no use tells apart are in one part. Bytes that nothing looks
  /// at are in none.
  llvm::ArrayRef<Bytes> parts() const { return Parts; }

  /// False if it is known that the use does not look at any of the bytes.
  bool looksAt(const llvm::Use &U, const Bytes &Part) const;

  /// True if the use looks at the bytes themselves, and not only at what was
  /// computed of them for a choice of values by which it may get them, too.
  bool looksInPlace(const llvm::Use &U, const Bytes &Part) const;

  /// True for the load, and for a choice of values whose result may be the
  /// load's.
  bool isInPlace(const llvm::Instruction &V) const {
    return &V == &Load || Choices.contains(&V);
  }

  /// True for a vector that is told by lane.
  bool isByLane() const { return Width != 0; }

  /// Where the lanes of the load get to.
  const LoadedLanes &lanes() const { return Lanes; }

  /// The lanes of a part, or the only lane.
  LoadedLanes::Set lanesOf(const Bytes &Part) const;

private:
  using Values = llvm::SmallSetVector<const llvm::Instruction *, 8>;
  void addLooksOfLanes();
  void addLooksOfBytes(llvm::DemandedBits &Demanded);
  void addLooksBehind();
  void divideParts(const Bytes &Look);
  Values valuesBehind(const llvm::Use &U, bool Upwards) const;
  Bytes bytesOf(const llvm::Use &U, llvm::DemandedBits &Demanded) const;

  llvm::Instruction &Load;
  unsigned Size;
  unsigned Width; // Bytes of a lane; 0 if the load is not told by lane.
  LoadedLanes Lanes;
  Values Choices;
  /// The bytes that a use looks at in any way, and those it looks at in place.
  llvm::SmallMapVector<const llvm::Use *, Bytes, 4> Looks, InPlace;
  llvm::SmallVector<Bytes, 1> Parts;
};

} // namespace atsan

#endif // ATSAN_PASS_READS_LOADEDBYTES_H
