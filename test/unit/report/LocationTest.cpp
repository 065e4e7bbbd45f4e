//===-- LocationTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interned locations say the same as a walk over the whole stack, whether or
// not the frames above the region come from the region's begin stack.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location.h"

#include "CurrentThread.h"

#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <sys/mman.h>
#include <vector>

using namespace __atsan;
using atsan_test::CurrentThread;

namespace {

using Stack = std::vector<uptr>;

Stack copy(const StackTrace &Trace) {
  return Stack(Trace.trace, Trace.trace + Trace.size);
}

Stack walk(const AccessPoint &At) {
  auto Trace = std::make_unique<BufferedStackTrace>();
  UnwindStack(cur_thread, At, Trace.get());
  return copy(*Trace);
}

std::unique_ptr<LocationInfo> describe(LocId Id) {
  auto Info = std::make_unique<LocationInfo>();
  return DescribeLocation(Id, Info.get()) ? std::move(Info) : nullptr;
}

std::unique_ptr<RegionInfo> describeRegion(u32 Context) {
  auto Info = std::make_unique<RegionInfo>();
  return DescribeRegion(Context, Info.get()) ? std::move(Info) : nullptr;
}

struct Recorded {
  LocId Id;
  Stack Walked;
};

// Compiled code ends in a jump where a call comes last; nothing may here.
#define ATSAN_TEST_NO_TAIL_CALL asm volatile("" ::: "memory")

__attribute__((noinline)) Recorded access(AccessKind Kind, uptr Size) {
  AccessPoint At = ATSAN_CALLER_POINT();
  return {InternLocation(&cur_thread->checker, At, Kind, Size), walk(At)};
}

bool NamesAreConstant;
Stack StackOfRegion; // Of the last one that began.

__attribute__((noinline)) u32 beginRegion(const char *Name) {
  AccessPoint At = ATSAN_CALLER_POINT();
  u32 Context = InternRegionContext(cur_thread, Name, At,
                                    [] { return NamesAreConstant; });
  StackOfRegion = walk(At);
  cur_thread->regions.Add(Name, At.pc, At.fp, 0);
  cur_thread->region_context = Context;
  cur_thread->checker.active = true;
  cur_thread->recording_fp = cur_thread->region_frame.fp;
  return Context;
}

void endRegion() {
  cur_thread->regions.pop_back();
  cur_thread->region_context = 0;
  cur_thread->checker.active = false;
}

__attribute__((noinline)) Recorded accessBelow(int Depth) {
  Recorded R =
      Depth ? accessBelow(Depth - 1) : access(AccessKind::kAtomicRmw, 4);
  ATSAN_TEST_NO_TAIL_CALL;
  return R;
}

__attribute__((noinline)) u32 beginInAFunctionThatReturns() {
  u32 Context = beginRegion("guard");
  ATSAN_TEST_NO_TAIL_CALL;
  return Context;
}

class LocationTest : public testing::Test {
protected:
  CurrentThread Current;
};

TEST_F(LocationTest, OutsideRegions) {
  Recorded R = accessBelow(3);
  auto Info = describe(R.Id);
  ASSERT_TRUE(Info);
  EXPECT_EQ(Info->kind, AccessKind::kAtomicRmw);
  EXPECT_EQ(Info->size, 4u);
  EXPECT_EQ(Info->region_context, 0u);
  EXPECT_EQ(copy(Info->stack), R.Walked);
  EXPECT_GE(R.Walked.size(), 5u);
}

TEST_F(LocationTest, UnknownIsUnknown) { EXPECT_FALSE(describe(0)); }

TEST_F(LocationTest, StacksInsideRegionsAreComplete) {
  u32 Context = beginRegion("region");
  for (int Depth : {0, 1, 7}) {
    // The second time, the location comes from the cache.
    for (int Round = 0; Round < 2; Round++) {
      Recorded R = accessBelow(Depth);
      auto Info = describe(R.Id);
      ASSERT_TRUE(Info);
      EXPECT_EQ(copy(Info->stack), R.Walked);
      EXPECT_EQ(Info->region_context, Context);
    }
  }
  endRegion();
}

// One place, so that contexts differ by the names only.
std::vector<u32> contextsOf(const std::vector<const char *> &Names) {
  std::vector<u32> Contexts;
  for (const char *Name : Names) {
    Contexts.push_back(beginRegion(Name));
    endRegion();
  }
  return Contexts;
}

TEST_F(LocationTest, NamesCountNotWhereTheyAre) {
  // Behind the second page there is nothing to be read.
  constexpr uptr PageSize = 4096;
  char *Pages =
      static_cast<char *>(mmap(nullptr, 3 * PageSize, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(Pages, MAP_FAILED);
  char *End = Pages + 2 * PageSize;
  ASSERT_EQ(mprotect(End, PageSize, PROT_NONE), 0);
  for (std::string Name :
       {"", "a", "sixteen", "of eight", "of nine c",
        "\x80\x01\xff\x7f and more",
        "one that takes several words of eight characters"}) {
    const uptr Size = Name.size() + 1;
    std::vector<const char *> Copies;
    memset(Pages, '?', 2 * PageSize); // What stands behind a name.
    for (char *At : {End - Size, Pages, Pages + 131, End - Size - PageSize})
      Copies.push_back(strcpy(At, Name.c_str()));
    for (u32 Context : contextsOf(Copies)) {
      auto Info = describeRegion(Context);
      ASSERT_TRUE(Info);
      EXPECT_EQ(Info->name, Name);
    }
    std::vector<u32> Contexts = contextsOf(Copies);
    for (u32 Context : Contexts)
      EXPECT_EQ(Context, Contexts[0]);
    const std::string Other = Name + ".", Longer = Name + std::string(8, ' ');
    Contexts =
        contextsOf({Name.c_str(), Other.c_str(), Longer.c_str(), nullptr});
    EXPECT_EQ(std::set<u32>(Contexts.begin(), Contexts.end()).size(), 4u);
  }
  munmap(Pages, 3 * PageSize);
}

TEST_F(LocationTest, ARegionWithoutANameIsNoPlainStack) {
  AccessPoint At = ATSAN_CALLER_POINT();
  EXPECT_NE(InternStack(cur_thread, At),
            InternRegionContext(cur_thread, nullptr, At, [] { return true; }));
}

// A stack has each call of a recursion once, and all that is around it, however
// deep the recursion is.
TEST_F(LocationTest, DeepStacks) {
  beginRegion("region");
  Stack Shallow;
  for (int Depth : {1, 20, 60, 60, 120}) {
    Recorded R = accessBelow(Depth);
    auto Info = describe(R.Id);
    ASSERT_TRUE(Info);
    EXPECT_EQ(Info->left_out,
              Depth == 1 ? LeftOut::kNothing : LeftOut::kRepeated);
    if (Depth == 1)
      Shallow = copy(Info->stack);
    EXPECT_EQ(copy(Info->stack), Shallow);
  }
  EXPECT_GT(Shallow.size(), 3u);
  endRegion();
}

TEST_F(LocationTest, RegionThatIsLongerThanTheFunctionThatBeganIt) {
  beginInAFunctionThatReturns();
  Recorded R = accessBelow(0); // Its frame may be where the other one was.
  auto Info = describe(R.Id);
  ASSERT_TRUE(Info);
  EXPECT_EQ(copy(Info->stack), R.Walked);
  endRegion();
}

// What hooks ask first, and what they ask where that finds nothing.
struct Ways {
  LocId FoundNear, Found, Interned;
};

__attribute__((noinline)) Ways lookUp() {
  AccessPoint At = ATSAN_CALLER_POINT();
  const uptr Here = GET_CURRENT_FRAME();
  LocId Near = 0;
  if (cur_thread->location_cache)
    FindLocationNear(cur_thread, At, [=] { return Here; }, &Near);
  LocId Found = FindLocation(cur_thread, At, AccessKind::kRead, 4, Here);
  return {Near, Found,
          InternLocation(&cur_thread->checker, At, AccessKind::kRead, 4)};
}

__attribute__((noinline)) Ways lookUpBelow(int Depth) {
  Ways W = Depth ? lookUpBelow(Depth - 1) : lookUp();
  ATSAN_TEST_NO_TAIL_CALL;
  return W;
}

TEST_F(LocationTest, WhatHooksFindIsWhatWasInterned) {
  beginRegion("region");
  volatile int Rounds = 3; // Each call stays one.
  for (int Round = 0; Round < Rounds; Round++) {
    std::vector<Ways> All = {lookUp(),       lookUp(),       lookUpBelow(0),
                             lookUpBelow(0), lookUpBelow(1), lookUpBelow(1)};
    for (size_t I = 0; I < All.size(); I++) {
      EXPECT_EQ(All[I].FoundNear, Round > 1 ? All[I].Interned : 0) << I;
      EXPECT_EQ(All[I].Found, Round ? All[I].Interned : 0) << I;
      for (size_t J = 0; J < I; J++)
        EXPECT_NE(All[I].Interned, All[J].Interned) << I << " " << J;
    }
  }
  endRegion();
}

// Deep below a region's frame, and not deep at the same addresses, where the
// region is another one, or has a frame further down.
__attribute__((noinline)) Ways lookUpFurtherDown(int Depth) {
  volatile char Room[4096];
  Room[0] = 0;
  beginRegion("further down");
  Ways W = lookUpBelow(Depth);
  endRegion();
  Room[1] = 0;
  return W;
}

// Two accesses of one deep frame, at two places.
__attribute__((noinline)) std::pair<Ways, Ways> lookUpTwiceBelow(int Depth) {
  if (Depth) {
    auto Both = lookUpTwiceBelow(Depth - 1);
    ATSAN_TEST_NO_TAIL_CALL;
    return Both;
  }
  const Ways First = lookUp();
  return {First, lookUp()};
}

TEST_F(LocationTest, PlacesInADeepFrame) {
  volatile int Rounds = 3; // Each call stays one.
  for (int Round = 0; Round < Rounds; Round++) {
    std::set<LocId> Ids;
    for (const char *Name : {"region", "other region"}) {
      beginRegion(Name);
      auto [First, Second] = lookUpTwiceBelow(40);
      endRegion();
      EXPECT_EQ(First.Found, Round ? First.Interned : 0);
      EXPECT_EQ(Second.Found, Round ? Second.Interned : 0);
      Ids.insert({First.Interned, Second.Interned});
    }
    EXPECT_EQ(Ids.size(), 4u);
  }
}

TEST_F(LocationTest, DeepAndNotDeepAtTheSameAddresses) {
  volatile int Rounds = 3; // Each call stays one.
  for (int Round = 0; Round < Rounds; Round++) {
    beginRegion("region");
    std::vector<Ways> All = {lookUpBelow(40), lookUpBelow(40), lookUpBelow(3)};
    endRegion();
    All.push_back(lookUpFurtherDown(3));
    All.push_back(lookUpFurtherDown(3));
    for (size_t I = 0; I < All.size(); I++) {
      auto Info = describe(All[I].Interned);
      ASSERT_TRUE(Info);
      EXPECT_EQ(Info->left_out, I < 2 ? LeftOut::kRepeated : LeftOut::kNothing);
      EXPECT_EQ(All[I].Found, Round ? All[I].Interned : 0) << I;
    }
    EXPECT_EQ(All[0].Interned != All[1].Interned, true); // By two calls.
    EXPECT_NE(All[3].Interned, All[2].Interned);
  }
}

// What is asked first for accesses of several kinds and sizes, and where that
// finds nothing.
__attribute__((noinline)) std::pair<LocId, LocId> lookUpAny(AccessKind Kind,
                                                            uptr Size) {
  AccessPoint At = ATSAN_CALLER_POINT();
  LocId Found = FindLocation</*kAny=*/true>(cur_thread, At, Kind, Size,
                                            GET_CURRENT_FRAME());
  return {Found, InternLocation(&cur_thread->checker, At, Kind, Size)};
}

TEST_F(LocationTest, SeveralKindsAndSizesAtOnePlace) {
  beginRegion("region");
  volatile int Rounds = 4; // Each call stays one.
  for (int Round = 0; Round < Rounds; Round++)
    for (uptr Size : {3, 12, 32, 3, 12})
      for (AccessKind Kind : {AccessKind::kRead, AccessKind::kWrite}) {
        auto [Found, Interned] = lookUpAny(Kind, Size);
        EXPECT_EQ(describe(Interned)->size, Size);
        EXPECT_EQ(describe(Interned)->kind, Kind);
        if (Round)
          EXPECT_EQ(Found, Interned) << Size;
      }
  endRegion();
}

TEST_F(LocationTest, HooksTellRegionsApart) {
  LocId Last = 0;
  for (const char *Name : {"one", "other", "one more"}) {
    beginRegion(Name);
    volatile int Rounds = 3; // Each call stays one.
    Ways W = {};
    for (int Round = 0; Round < Rounds; Round++)
      W = lookUp();
    EXPECT_EQ(W.Found, W.Interned);
    EXPECT_NE(W.Found, Last);
    Last = W.Found;
    endRegion();
  }
}

using Table = IdTable<1024, 8192>;

std::unique_ptr<Table> newTable() {
  auto Ids = std::make_unique<Table>();
  Ids->Init();
  return Ids;
}

// Entries are in pairs, and found by a hash's bits from the third on.
TEST(IdTableTest, TwoThatMeetInAPairBothStay) {
  constexpr u64 Turn = 1024;
  for (u64 First : {2, 3})
    for (u64 Second : {Turn + 2, Turn + 3}) {
      auto Ids = newTable();
      Ids->Put(4 * First, 1);
      Ids->Put(4 * Second, 2);
      EXPECT_EQ(Ids->Find(4 * First), 1u) << First << " " << Second;
      EXPECT_EQ(Ids->Find(4 * Second), 2u) << First << " " << Second;
    }
}

// However many were put, one that is put is found, and many of the last ones
// are.
TEST(IdTableTest, Grows) {
  auto Ids = newTable();
  constexpr u64 Count = 2 * 8192;
  auto HashOf = [](u64 N) { return HashEnd(HashStep(0, N)); };
  for (u64 N = 1; N <= Count; N++) {
    Ids->Put(HashOf(N), N);
    EXPECT_EQ(Ids->Find(HashOf(N)), N);
  }
  EXPECT_EQ(Ids->mask, Table::MaskOf(8192));
  u64 Found = 0;
  for (u64 N = Count / 2; N <= Count; N++)
    Found += Ids->Find(HashOf(N)) == N;
  EXPECT_GT(Found, Count / 4);
}

// More places than the hooks' cache has room for.
TEST_F(LocationTest, HooksFindTheOneOrNone) {
  volatile int Rounds = 3, Regions = 40000; // Each call stays one.
  int Known = 0;
  for (int I = 0; I < Regions; I++) {
    beginRegion(std::to_string(I).c_str());
    for (int Round = 0; Round < Rounds; Round++) {
      Ways W = lookUp();
      if (W.Found)
        EXPECT_EQ(W.Found, W.Interned);
      Known += W.Found != 0;
    }
    endRegion();
  }
  EXPECT_GE(Known, 2 * Regions);
}

__attribute__((noinline)) Ways lookUpHere(bool Begins) {
  if (Begins)
    beginRegion("guard");
  volatile int Rounds = 3; // Each call stays one.
  Ways W = {};
  for (int Round = 0; Round < Rounds; Round++)
    W = lookUp();
  return W;
}

// The frame is where the region's was, and of the same function.
TEST_F(LocationTest, RegionsFrameIsToldFromItsSuccessor) {
  Ways First = lookUpHere(true);
  EXPECT_EQ(First.Found, First.Interned);
  Ways Second = lookUpHere(false);
  EXPECT_NE(Second.Interned, First.Interned);
  EXPECT_NE(Second.Found, First.Interned);
  endRegion();
}

// All at one place; what was found in a region is not found outside, later.
TEST_F(LocationTest, EverythingOfAnAccessCounts) {
  Recorded R[8];
  auto SizeOf = [](int I) { return I & 2 ? uptr(8) : uptr(1) << 40; };
  volatile int Count = 8; // Each call stays one.
  for (int I = Count - 1; I >= 0; I--) {
    if (I & 4)
      beginRegion("region");
    R[I] = access(I & 1 ? AccessKind::kRead : AccessKind::kWrite, SizeOf(I));
    if (I & 4)
      endRegion();
  }
  for (int I = 0; I < 8; I++) {
    auto Info = describe(R[I].Id);
    EXPECT_EQ(Info->size, SizeOf(I));
    EXPECT_EQ(Info->region_context != 0, I >= 4);
    for (int J = 0; J < I; J++)
      EXPECT_NE(R[I].Id, R[J].Id);
  }
}

// Two functions with frames alike, whose caller is called at the same place.
__attribute__((noinline)) u32 beginAtDepth(int Depth) {
  u32 Context = Depth ? beginAtDepth(Depth - 1) : beginRegion("constant");
  ATSAN_TEST_NO_TAIL_CALL;
  return Context;
}
__attribute__((noinline)) u32 beginBelowThis(int Depth) {
  u32 Context = beginAtDepth(Depth);
  ATSAN_TEST_NO_TAIL_CALL;
  return Context;
}
__attribute__((noinline)) u32 beginBelowThat(int Depth) {
  u32 Context = beginAtDepth(Depth);
  ATSAN_TEST_NO_TAIL_CALL;
  return Context + 0 * Depth;
}

TEST_F(LocationTest, ARememberedRegionHasItsStack) {
  NamesAreConstant = true;
  volatile int Rounds = 3; // Each call stays one.
  for (int Depth : {0, 1, 20, 100}) {
    std::set<u32> Contexts;
    for (int Round = 0; Round < Rounds; Round++)
      for (bool This : {true, true, false, false}) {
        u32 Context = (This ? beginBelowThis : beginBelowThat)(Depth);
        auto Info = describeRegion(Context);
        ASSERT_TRUE(Info);
        EXPECT_EQ(copy(Info->begin_stack), StackOfRegion);
        Contexts.insert(Context);
        endRegion();
      }
    EXPECT_EQ(Contexts.size(), 2u);
  }
  NamesAreConstant = false;
}

TEST_F(LocationTest, NamesAreCopied) {
  char Name[] = "a region";
  u32 Contexts[2];
  for (int I = 0; I < 2; I++) {
    Name[0] = "ab"[I];
    Contexts[I] = beginRegion(Name);
    endRegion();
  }
  Name[0] = '?';
  EXPECT_STREQ(describeRegion(Contexts[0])->name, "a region");
  EXPECT_STREQ(describeRegion(Contexts[1])->name, "b region");
}

TEST_F(LocationTest, PartsOfARegion) {
  u32 Whole = beginRegion("whole");
  AccessPoint Boundary = {0x4242, 0};
  u32 Part = InternRegionPart(cur_thread, Whole, Boundary);
  cur_thread->region_context = Part;
  Recorded R = accessBelow(2);
  auto Info = describe(R.Id);
  EXPECT_EQ(copy(Info->stack), R.Walked);
  EXPECT_EQ(Info->region_context, Part);
  // A part of a part.
  auto Region = describeRegion(InternRegionPart(cur_thread, Part, Boundary));
  ASSERT_TRUE(Region);
  EXPECT_STREQ(Region->name, "whole");
  EXPECT_EQ(copy(Region->split_stack), Stack{0x4242});
  EXPECT_EQ(copy(Region->begin_stack),
            copy(describeRegion(Whole)->begin_stack));
  EXPECT_EQ(describeRegion(Whole)->split_stack.size, 0u);
  endRegion();
}

TEST_F(LocationTest, GarbageInsteadOfAFramePointer) {
  uptr OnStack = reinterpret_cast<uptr>(__builtin_frame_address(0));
  alignas(16) uptr Loop[2] = {reinterpret_cast<uptr>(Loop), 0x5555};
  alignas(16) uptr Away[2] = {0x10, 0x6666};
  alignas(16) uptr Data[2] = {OnStack, 7};
  EXPECT_EQ(walk({1, 0}), Stack{1});
  EXPECT_EQ(walk({2, 0xdead}), Stack{2});
  EXPECT_EQ(walk({3, OnStack + 8}), Stack{3});
  EXPECT_EQ(walk({4, Current.get()->stack_top - 8}), Stack{4});
  EXPECT_EQ(walk({5, Current.get()->stack_top}), Stack{5});
  EXPECT_EQ(walk({6, reinterpret_cast<uptr>(Loop)}), (Stack{6, 0x5555}));
  EXPECT_EQ(walk({7, reinterpret_cast<uptr>(Away)}), (Stack{7, 0x6666}));
  EXPECT_EQ(walk({8, reinterpret_cast<uptr>(Data)}), Stack{8});
  // Characters: with them as an address each would be a stack of its own.
  alignas(16) char Text[17] = "\0\0\0\0\0\0\0\x7f 1234567";
  memcpy(Text, &OnStack, sizeof(OnStack));
  EXPECT_EQ(walk({9, reinterpret_cast<uptr>(Text)}), Stack{9});
}

} // namespace
