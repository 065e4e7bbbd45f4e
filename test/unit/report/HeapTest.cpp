//===-- HeapTest.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of live heap blocks against a map of the standard library.
//
//===----------------------------------------------------------------------===//
#include "runtime/memory/atsan_heap.h"

#include "CurrentThread.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace __atsan;
using atsan_test::CurrentThread;

namespace {

constexpr AccessPoint Somewhere = {0x1234567, 0};
constexpr uptr Arena = 0x7f0000000000;
constexpr uptr Spacing = 64;
constexpr uptr Places = 100000;

class HeapTest : public testing::Test {
protected:
  void TearDown() override {
    while (!Live.empty())
      release(Live.begin());
  }

  void allocate(uptr Begin, uptr Size) {
    HeapBlockAllocated(Current.get(), Begin, Size, Somewhere);
    Live[Begin] = Size;
  }

  void release(std::map<uptr, uptr>::iterator Block) {
    HeapBlockFreed(Block->first);
    Live.erase(Block);
  }

  // Both say the same about the address.
  void expectAgreement(uptr Addr) {
    auto After = Live.upper_bound(Addr);
    bool Expected = false;
    if (After != Live.begin()) {
      --After;
      Expected = Addr - After->first < std::max<uptr>(After->second, 1);
    }
    HeapBlock Found;
    bool Actual = HeapBlockFind(Addr, &Found) && !Found.freed;
    ASSERT_EQ(Actual, Expected) << std::hex << Addr;
    if (!Actual)
      return;
    EXPECT_EQ(Found.begin, After->first);
    EXPECT_EQ(Found.size, After->second);
    EXPECT_EQ(Found.alloc_tid, Current.get()->tid);
    EXPECT_NE(Found.alloc_stack_id, 0u);
  }

  CurrentThread Current;
  std::map<uptr, uptr> Live;
  std::mt19937_64 Random{1};
};

TEST_F(HeapTest, GrowsAndShrinks) {
  for (int I = 0; I < 60000; I++) {
    bool Growing = I / 10000 % 2 == 0;
    if (Live.empty() || Random() % 100 < (Growing ? 80 : 20)) {
      allocate(Arena + Random() % Places * Spacing, Random() % (Spacing + 1));
    } else {
      auto Block = Live.lower_bound(Arena + Random() % Places * Spacing);
      release(Block == Live.end() ? Live.begin() : Block);
    }
    if (I % 500 == 0)
      expectAgreement(Arena + Random() % (Places * Spacing));
  }
}

TEST(HeapTableTest, NeighboursShareALine) {
  for (uptr Size : {32, 48, 64}) {
    std::set<uptr> Lines;
    constexpr uptr Blocks = 1000;
    for (uptr I = 0; I < Blocks; I++)
      Lines.insert(HeapTablePlace(Arena + I * Size) / kHeapSlotsPerLine);
    EXPECT_LE(Lines.size(), Blocks * Size / 128 + 1) << Size;
  }
}

// Of blocks of one size, in areas of 64 KiB, of which some were freed: slots
// that are looked at until each is found in a table as full as it gets.
double averageSearch(uptr Size, double Kept) {
  constexpr uptr Slots = 4096, Most = Slots * 3 / 4, Area = 1 << 16;
  std::mt19937_64 Random{1};
  std::bernoulli_distribution IsKept{Kept};
  std::vector<bool> Used(Slots);
  uptr Live = 0, Looks = 0;
  while (Live < Most) {
    const uptr Begin = Arena + Random() % 1000000 * Area;
    for (uptr Ptr = Begin; Ptr < Begin + Area && Live < Most; Ptr += Size) {
      if (!IsKept(Random))
        continue;
      uptr Slot = HeapTablePlace(Ptr) % Slots;
      for (Looks++; Used[Slot]; Looks++)
        Slot = (Slot + 1) % Slots;
      Used[Slot] = true;
      Live++;
    }
  }
  return static_cast<double>(Looks) / Live;
}

TEST(HeapTableTest, RowsOfUsedSlotsAreShort) {
  for (uptr Size : {16, 32, 48, 64, 80, 112, 256, 1024, 8192, 65536})
    for (double Kept : {1., .5})
      EXPECT_LT(averageSearch(Size, Kept), 6) << Size << " " << Kept;
}

TEST_F(HeapTest, InteriorAndNeighbouringAddresses) {
  allocate(Arena, 24);
  allocate(Arena + 24, 8);
  for (uptr Addr = Arena - 1; Addr <= Arena + 32; Addr++)
    expectAgreement(Addr);
}

TEST_F(HeapTest, EmptyBlock) {
  allocate(Arena, 0);
  expectAgreement(Arena);
  expectAgreement(Arena + 1);
}

TEST_F(HeapTest, BlocksOfMoreThan4GiB) {
  uptr Size = (1ull << 32) + 5;
  for (uptr I = 0; I < 20; I++)
    allocate(0x100000000000 + I * 0x200000000, Size + I);
  release(Live.begin());
  for (auto &Block : Live) {
    expectAgreement(Block.first + Block.second - 1);
    expectAgreement(Block.first + Block.second);
  }
}

TEST_F(HeapTest, TakesThePlaceOfABlockThatWasFreedUnseen) {
  allocate(Arena, 16);
  allocate(Arena, 48);
  expectAgreement(Arena + 47);
  release(Live.begin());
  expectAgreement(Arena);
}

TEST_F(HeapTest, RemembersABlockThatWasJustFreed) {
  uptr Begin = Arena + 0x20000000; // Where no other test has blocks.
  allocate(Begin, 16);
  release(Live.begin());
  HeapBlock Found;
  ASSERT_TRUE(HeapBlockFind(Begin + 15, &Found));
  EXPECT_TRUE(Found.freed);
  EXPECT_FALSE(HeapBlockFind(Begin + 16, &Found));
}

} // namespace
