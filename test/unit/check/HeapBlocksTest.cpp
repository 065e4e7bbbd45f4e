//===- HeapBlocksTest.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Against a table of bytes: random births and deaths that overlap, touch and
// meet each other, of which every byte is then asked.
//
//===----------------------------------------------------------------------===//

#include "lib/check/HeapBlocks.h"
#include "gtest/gtest.h"
#include <array>
#include <random>

using namespace atsan;
using trace::EventKind;

TEST(HeapBlocks, AsATableOfBytes) {
  constexpr uint64_t Bytes = 64;
  for (unsigned Seed = 0; Seed != 2000; ++Seed) {
    std::mt19937 Random(Seed);
    check::HeapBlocks Blocks;
    // The birth of each byte's block and which one it is; 0: none.
    std::array<std::pair<uint64_t, uint64_t>, Bytes> Expected{};
    std::array<uint64_t, 41> Begin{}; // By the number of the birth.
    std::array<std::array<uint64_t, 3>, 2> Counts{};
    for (uint64_t Number = 1; Number != 40; ++Number) {
      trace::Event E;
      E.Kind = Random() % 4 ? EventKind::Birth : EventKind::Death;
      E.Address = Random() % Bytes;
      E.Size = Random() % (Bytes - E.Address) / (1 + Random() % 8);
      E.Thread = Random() % 2;
      E.Location = Random() % 3;
      E.IsStack = Random() % 8 == 0;
      const bool IsBlock =
          E.Kind == EventKind::Birth && E.Size && E.Location && !E.IsStack;
      // Blocks that begin there are gone. Of one that begins before, a birth
      // leaves the bytes before.
      std::array<bool, 41> Gone{};
      for (uint64_t At = E.Address; At != E.Address + E.Size; ++At)
        if (Begin[Expected[At].first] >= E.Address)
          Gone[Expected[At].first] = true;
        else if (E.Kind == EventKind::Birth)
          for (uint64_t Behind = At; Behind != Bytes; ++Behind)
            if (Expected[Behind].first == Expected[At].first && Behind != At)
              Expected[Behind] = {};
      Gone[0] = false;
      for (auto &Of : Expected)
        if (Gone[Of.first])
          Of = {};
      if (E.Kind == EventKind::Birth)
        for (uint64_t At = E.Address; At != E.Address + E.Size; ++At)
          Expected[At] = {};
      Begin[Number] = E.Address;
      const uint64_t Which =
          IsBlock ? ++Counts[E.Thread][E.Location] : uint64_t(0);
      for (uint64_t At = E.Address; IsBlock && At != E.Address + E.Size; ++At)
        Expected[At] = {Number, Which};
      Blocks.take({Number, E});
      for (uint64_t At = 0; At != Bytes; ++At) {
        const check::HeapBlock *Is = Blocks.at(At);
        ASSERT_EQ(Is ? Is->Birth.Number : 0, Expected[At].first)
            << "byte " << At << ", seed " << Seed;
        ASSERT_EQ(Is ? Is->Which : 0, Expected[At].second);
      }
    }
  }
}
