//===- SharedMemoryTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which accesses of random traces are kept, against a count byte by byte; and
// without the rest the conflict graph has its first cycle at the same event.
//
//   ATSAN_DIFF_SCHEDULES  how many traces (default 100000)
//   ATSAN_DIFF_SEED       the first seed (default 1)
//
//===----------------------------------------------------------------------===//

#include "lib/check/SharedMemory.h"
#include "Findings.h"
#include "RandomTrace.h"
#include "test/unit/Setting.h"
#include <gtest/gtest.h>
#include <set>

using namespace atsan::check;
using namespace atsan_test;
namespace trace = atsan::trace;
using trace::EventKind;

namespace {

using Trace = std::vector<trace::Event>;

bool isOfMemory(const trace::Event &E) { return E.Kind <= EventKind::Death; }

// Bytes that two threads access in one life.
std::set<uint64_t> sharedBytes(const Trace &Events) {
  std::set<uint64_t> Shared;
  std::map<uint64_t, std::set<uint32_t>> Users;
  for (const trace::Event &E : Events)
    for (uint64_t B = E.Address; isOfMemory(E) && B < E.Address + E.Size; ++B) {
      if (!isAccess(E.Kind))
        Users[B].clear();
      else if (Users[B].insert(E.Thread); Users[B].size() > 1)
        Shared.insert(B);
    }
  return Shared;
}

bool isMet(const trace::Event &E, const std::set<uint64_t> &Shared) {
  const auto First = Shared.lower_bound(E.Address);
  return First != Shared.end() && *First - E.Address < E.Size;
}

// Is it an access with which the transactions of its thread begin?
bool takesPart(std::set<uint64_t> &HaveTransaction, const trace::Event &E) {
  if (E.Kind == EventKind::End)
    HaveTransaction.erase(E.Thread);
  if (E.Kind == EventKind::Join && E.Address != E.Thread)
    HaveTransaction.erase(E.Address);
  const bool Is = isAccess(E.Kind) ? E.Size != 0
                                   : E.Kind == EventKind::RegionBegin ||
                                         E.Kind == EventKind::Start ||
                                         E.Kind == EventKind::Join;
  return Is && HaveTransaction.insert(E.Thread).second && isAccess(E.Kind);
}

struct Frequency {
  uint64_t DroppedAccesses = 0;
  uint64_t DroppedLives = 0;
  uint64_t Violating = 0;
};

std::string difference(const RandomTrace &T, Frequency &Seen) {
  SharedMemory Memory;
  for (const trace::Event &E : T.Events)
    Memory.collect(E);
  const std::set<uint64_t> Shared = sharedBytes(T.Events);
  SharedFilter Wanted(Memory);
  Trace Kept;
  std::vector<uint64_t> Numbers = {0}; // In T, of the kept ones.
  std::set<uint64_t> HaveTransaction;
  for (size_t I = 0; I < T.Events.size(); ++I) {
    const trace::Event &E = T.Events[I];
    const bool Keeps = Wanted.keeps(E);
    const bool IsFirst = takesPart(HaveTransaction, E);
    if (isAccess(E.Kind) ? Keeps != (IsFirst || isMet(E, Shared))
                         : !Keeps && !isOfMemory(E))
      return "event " + std::to_string(I + 1) + " is " +
             (Keeps ? "kept" : "not kept");
    if (Keeps) {
      Kept.push_back(E);
      Numbers.push_back(I + 1);
    } else {
      ++(isAccess(E.Kind) ? Seen.DroppedAccesses : Seen.DroppedLives);
    }
  }
  const uint64_t Whole =
      firstClosing(findings("conflict-graph", T.Events, T.Given));
  const uint64_t Part = firstClosing(findings("conflict-graph", Kept, T.Given));
  Seen.Violating += Whole != 0;
  if (Numbers[Part] != Whole)
    return "the cycle closes at event " + std::to_string(Numbers[Part]) +
           ", not at " + std::to_string(Whole);
  return "";
}

TEST(SharedMemory, WithoutTheRestTheVerdictIsTheSame) {
  const uint64_t Count = setting("ATSAN_DIFF_SCHEDULES", 100000);
  const uint64_t First = setting("ATSAN_DIFF_SEED", 1);
  Frequency Seen;
  for (uint64_t Seed = First; Seed < First + Count; ++Seed) {
    const RandomTrace T = randomTrace(Seed);
    const std::string Difference = difference(T, Seen);
    ASSERT_EQ(Difference, "") << "ATSAN_DIFF_SEED=" << Seed << "\n" << T.text();
  }
  EXPECT_GT(Seen.DroppedAccesses, Count / 10);
  EXPECT_GT(Seen.DroppedLives, Count / 10);
  EXPECT_GT(Seen.Violating, Count / 20);
}

trace::Event access(uint32_t Thread, uint64_t Address, uint64_t Size) {
  trace::Event E;
  E.Thread = Thread;
  E.Kind = EventKind::Write;
  E.Address = Address;
  E.Size = Size;
  return E;
}

TEST(SharedMemory, OnlyTheBytesOfBoth) {
  SharedMemory Memory;
  Memory.collect(access(0, 0x1000, 16));
  Memory.collect(access(1, 0x1004, 4));
  EXPECT_FALSE(Memory.isMetBy(access(0, 0x1000, 4)));
  EXPECT_TRUE(Memory.isMetBy(access(0, 0x1000, 5)));
  EXPECT_TRUE(Memory.isMetBy(access(0, 0x1007, 1)));
  EXPECT_FALSE(Memory.isMetBy(access(0, 0x1008, 8)));
}

TEST(SharedMemory, AllThereIs) {
  SharedMemory Memory;
  Memory.collect(access(0, 0, UINT64_MAX));
  Memory.collect(access(1, 1, UINT64_MAX));
  EXPECT_FALSE(Memory.isMetBy(access(0, 0, 1)));
  EXPECT_TRUE(Memory.isMetBy(access(0, 0, 2)));
  EXPECT_FALSE(Memory.isMetBy(access(0, UINT64_MAX, 1)));
}

} // namespace
