//===-- Lines.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lines.h"

#include <algorithm>

unsigned Lines::Line::writers() const {
  return kMostThreads - std::count(Writing.begin(), Writing.end(), 0);
}

bool Lines::Line::isSharedBy(unsigned Thread, bool Written) const {
  for (unsigned Other = 0; Other < kMostThreads; ++Other)
    if (Other != Thread && (Writing[Other] || (!Written && Reading[Other])))
      return true;
  return false;
}

void Lines::note(unsigned Thread, uint64_t Operation, uint64_t Time,
                 uint64_t Instruction, uint64_t Address, unsigned Size,
                 bool IsWrite) {
  const uint64_t Mine = uint64_t(1) << Thread;
  for (uint64_t At = Address / kLineSize;
       At <= (Address + Size - 1) / kLineSize; ++At) {
    Line &L = Known[At];
    if (L.Operation != Operation) {
      L.Operation = Operation;
      L.IsWritten = L.IsMoved = L.IsMovedToWrite = false;
      ++(IsWrite ? L.Writing : L.Reading)[Thread];
    } else if (IsWrite && !L.IsWritten) {
      ++L.Writing[Thread];
      --L.Reading[Thread];
    }
    // What nobody has written, and what nobody has, comes from memory.
    const bool Comes = IsWrite ? L.Copies != 0 && L.Copies != Mine
                               : L.WasWritten && !(L.Copies & Mine);
    L.WasWritten |= IsWrite;
    if (Comes && !L.IsMoved) {
      L.IsMoved = true;
      ++L.Moved;
      ++Moves;
    }
    if (Comes && IsWrite && !L.IsMovedToWrite) {
      L.IsMovedToWrite = true;
      ++L.MovedToWrite;
    }
    if (IsWrite) {
      L.HeldMoves += L.IsWritten ? Moves - L.MovesBefore : L.IsMoved;
      L.HeldInstructions += L.IsWritten ? Time - L.TimeBefore : 0;
      L.MovesBefore = Moves;
      L.TimeBefore = Time;
      L.IsWritten = true;
    }
    L.Copies = IsWrite ? Mine : L.Copies | Mine;
    if (IsWrite && !L.Writer) {
      L.Writer = Instruction;
      L.Written = Address;
    } else if (!IsWrite && !L.Reader) {
      L.Reader = Instruction;
    }
  }
}

void Lines::forgetCounts() {
  for (auto &[At, L] : Known) {
    L.Writing.fill(0);
    L.Reading.fill(0);
    L.HeldMoves = L.HeldInstructions = 0;
    L.Moved = L.MovedToWrite = L.Operation = L.Writer = L.Reader = L.Written =
        0;
  }
}
