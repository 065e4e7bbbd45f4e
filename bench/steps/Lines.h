//===-- Lines.h - Which threads use which cache lines ------------*- C++
//-*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef LINES_H
#define LINES_H

#include <array>
#include <cstdint>
#include <map>

constexpr unsigned kMostThreads = 64, kLineSize = 64;

// The cache lines that the operations of some threads access, as if each thread
// had a core whose cache forgets nothing.
class Lines {
public:
  struct Line {
    // Operations, by thread, that write it, and that only read it.
    std::array<uint32_t, kMostThreads> Writing{}, Reading{};
    // Threads that have a valid copy.
    uint64_t Copies = 0;
    // Operations that had to get the line, or the right to write it, from
    // another thread; and those of them that write.
    uint64_t Moved = 0, MovedToWrite = 0;
    // From the first to the last write of an operation, in all of them: lines
    // that moved, this one too, and instructions. It is the time that a lock is
    // held whose word is in the line.
    uint64_t HeldMoves = 0, HeldInstructions = 0;
    uint64_t MovesBefore = 0, TimeBefore = 0;
    // The last operation that accessed it, and what it did.
    uint64_t Operation = 0;
    bool IsWritten = false, IsMoved = false, IsMovedToWrite = false;
    // Since the beginning.
    bool WasWritten = false;
    // The first instruction that writes it, and where, and the first that reads
    // it.
    uint64_t Writer = 0, Written = 0, Reader = 0;

    unsigned writers() const;
    bool isSharedBy(unsigned Thread, bool Written) const;
  };

  // Operations have numbers from 1 on. Time: instructions before this one.
  void note(unsigned Thread, uint64_t Operation, uint64_t Time,
            uint64_t Instruction, uint64_t Address, unsigned Size,
            bool IsWrite);

  // Sets the counts to zero, and keeps which thread has which line.
  void forgetCounts();

  const std::map<uint64_t, Line> &all() const { return Known; }

private:
  std::map<uint64_t, Line> Known;
  uint64_t Moves = 0;
};

#endif // LINES_H
