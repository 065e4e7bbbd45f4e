//===-- sor.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Red-black successive over-relaxation: threads share a grid by rows and meet
// at a barrier after each colour. Regions: the update of one row, or everything
// between two barriers.
//
//===----------------------------------------------------------------------===//

#include "common.h"

namespace {

// Fixed-point numbers, so that the sum has one right value.
using Grid = std::vector<uint32_t>;

void updateRow(Grid &G, size_t Width, size_t Row, unsigned Colour) {
  OperationRegion Region;
  uint32_t *R = &G[Row * Width];
  for (size_t C = 1 + (Row + Colour) % 2; C + 1 < Width; C += 2)
    R[C] = (R[C - Width] + R[C + Width] + R[C - 1] + R[C + 1]) / 4;
}

Grid start(size_t Width) {
  Grid G(Width * Width);
  Random Rng(1);
  for (uint32_t &Cell : G)
    Cell = Rng.below(1 << 28);
  return G;
}

uint64_t sum(const Grid &G) {
  uint64_t Sum = 0;
  for (uint32_t Cell : G)
    Sum = Sum * 31 + Cell;
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Width = argument(Argc, Argv, 2, "width of the grid") + 2;
  uint64_t Rounds = argument(Argc, Argv, 3, "rounds");

  Grid G = start(Width);
  Barrier RowsDone(Threads);
  size_t Rows = Width - 2;
  runThreads(Threads, [&, Threads](unsigned I) {
    size_t First = 1 + Rows * I / Threads, Last = 1 + Rows * (I + 1) / Threads;
    for (uint64_t Round = 0; Round < Rounds; ++Round)
      for (unsigned Colour = 0; Colour < 2; ++Colour) {
        for (size_t Row = First; Row < Last; ++Row)
          updateRow(G, Width, Row, Colour);
        RowsDone.wait();
      }
  });

  return finish("checksum", sum(G));
}
