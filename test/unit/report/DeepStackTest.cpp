//===-- DeepStackTest.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a location tells of a recursion in a region is what a walk over the
// whole stack finds, however the thread came there.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location.h"

#include "CurrentThread.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <unistd.h>
#include <vector>

using namespace __atsan;
using atsan_test::CurrentThread;

namespace {

using Stack = std::vector<uptr>;

// The return addresses from the access up to the region's frame.
Stack callsUpToRegion(const AccessPoint &At) {
  Stack Calls;
  for (uptr Fp = At.fp; Fp != cur_thread->region_frame.fp;) {
    const uptr *Frame = reinterpret_cast<const uptr *>(Fp);
    Calls.push_back(Frame[1]);
    Fp = Frame[0];
  }
  return Calls;
}

// Leaves out what is between a call and the next one that is the same.
Stack withEachCallOnce(const Stack &Calls) {
  Stack Once;
  for (uptr Pc : Calls) {
    Once.erase(std::find(Once.begin(), Once.end(), Pc), Once.end());
    Once.push_back(Pc);
  }
  return Once;
}

Stack inReverse(const Stack &Calls) {
  return Stack(Calls.rbegin(), Calls.rend());
}

std::mt19937 Random(1);
Stack AboveRegion;
unsigned NumWhole, NumOnce, NumInnermost;

__attribute__((noinline)) void access() {
  AccessPoint At = ATSAN_CALLER_POINT();
  const LocId Found =
      FindLocation(cur_thread, At, AccessKind::kRead, 4, GET_CURRENT_FRAME());
  const LocId Id =
      InternLocation(&cur_thread->checker, At, AccessKind::kRead, 4);
  EXPECT_TRUE(!Found || Found == Id);
  auto Info = std::make_unique<LocationInfo>();
  ASSERT_TRUE(DescribeLocation(Id, Info.get()));
  Stack Calls = callsUpToRegion(At);
  if (Info->left_out == LeftOut::kNothing) {
    EXPECT_LE(Calls.size(), DeepStack::kMaxSize);
    NumWhole++;
  } else if (Info->left_out == LeftOut::kRepeated) {
    EXPECT_LE(Calls.size(), DeepStack::kMaxSize);
    Calls = inReverse(withEachCallOnce(inReverse(Calls)));
    NumOnce++;
  } else {
    EXPECT_GT(Calls.size(), DeepStack::kMaxSize);
    Calls.resize(16);
    Calls = withEachCallOnce(Calls);
    NumInnermost++;
  }
  Calls.insert(Calls.begin(), At.pc);
  Calls.insert(Calls.end(), AboveRegion.begin(), AboveRegion.end());
  ASSERT_EQ(Stack(Info->stack.trace, Info->stack.trace + Info->stack.size),
            Calls);
}

void goOn(unsigned Depth);

// The number in the assembly keeps the calls apart, which are at frames of two
// sizes.
template <int N> __attribute__((noinline)) void callOnce(unsigned Depth) {
  volatile char Room[N % 2 ? 8 : 40];
  Room[0] = N;
  goOn(Depth);
  asm volatile("# %0" ::"i"(N) : "memory");
}

// Recursion to a depth, from which the thread returns a little, mostly.
unsigned Deepest, Budget;

__attribute__((noinline)) void goOn(unsigned Depth) {
  do {
    if (Random() % 16 == 0 || Depth + 3 > Deepest)
      access();
    if (testing::Test::HasFatalFailure() || Depth >= Deepest || !Budget)
      return;
    Budget--;
    switch (Random() % 64) {
    case 0:
      callOnce<1>(Depth + 1);
      break;
    case 1:
      callOnce<2>(Depth + 1);
      break;
    case 2:
      callOnce<3>(Depth + 1);
      break;
    default:
      callOnce<4>(Depth + 1);
    }
  } while (Random() % (Depth % 64 ? 4 : 2) == 0);
}

template <int N> __attribute__((noinline)) void enter() {
  goOn(0);
  asm volatile("# enter %0" ::"i"(N) : "memory");
}

__attribute__((noinline)) void enterRegion() {
  AccessPoint At = ATSAN_CALLER_POINT();
  const u32 Context =
      InternRegionContext(cur_thread, "region", At, [] { return true; });
  auto Region = std::make_unique<RegionInfo>();
  ASSERT_TRUE(DescribeRegion(Context, Region.get()));
  const StackTrace &Begin = Region->begin_stack;
  AboveRegion = Stack(Begin.trace + 1, Begin.trace + Begin.size);
  cur_thread->regions.Add("region", At.pc, At.fp, 0);
  cur_thread->checker.active = true;
  cur_thread->recording_fp = cur_thread->region_frame.fp;
}

void leaveRegion() {
  cur_thread->regions.pop_back();
  cur_thread->region_context = 0;
  cur_thread->checker.active = false;
}

// A recursion in frames of this size, with an access in the innermost one.
template <int Bytes> __attribute__((noinline)) void goDown(unsigned Depth) {
  volatile char Room[Bytes];
  for (volatile char &C : Room)
    C = 0;
  if (Depth)
    goDown<Bytes>(Depth - 1);
  else
    access();
  Room[0] = 1;
}

bool IsFound;

__attribute__((noinline)) void lookBelow(unsigned Depth) {
  if (Depth) {
    lookBelow(Depth - 1);
  } else {
    AccessPoint At = ATSAN_CALLER_POINT();
    IsFound =
        FindLocation(cur_thread, At, AccessKind::kRead, 4, GET_CURRENT_FRAME());
    InternLocation(&cur_thread->checker, At, AccessKind::kRead, 4);
  }
  asm volatile("" ::: "memory");
}

class DeepStackTest : public testing::Test {
protected:
  CurrentThread Current;
};

TEST_F(DeepStackTest, RandomRecursions) {
  for (int Round = 0; Round < 40 && !HasFatalFailure(); Round++) {
    enterRegion();
    const unsigned Depths[] = {12, 40, 62, 66, 100, 400, 3000};
    Deepest = Depths[Random() % 7];
    Budget = 3 * Deepest;
    switch (Random() % 3) {
    case 0:
      enter<1>();
      break;
    case 1:
      enter<2>();
      break;
    default:
      enter<3>();
    }
    leaveRegion();
  }
  EXPECT_GT(NumWhole, 10u);
  EXPECT_GT(NumOnce, 500u);
  EXPECT_GT(NumInnermost, 1000u);
}

TEST_F(DeepStackTest, IsWholeAgainWhereFramesAreFewer) {
  enterRegion();
  const unsigned Before = NumInnermost;
  goDown<16>(3000);
  EXPECT_EQ(NumInnermost, Before + 1);
  goDown<8192>(60); // As far down as the frames before.
  EXPECT_EQ(NumInnermost, Before + 1);
  leaveRegion();
}

// In a process of its own: of other tests the stacks would be too many, too.
TEST_F(DeepStackTest, AShortRecursionIsFoundAmongManyStacks) {
  auto Run = [] {
    enterRegion();
    AccessPoint At = ATSAN_CALLER_POINT();
    for (uptr Size = 1; Size <= 1 << 17; Size++)
      InternLocation(&cur_thread->checker, At, AccessKind::kRead, Size);
    volatile int Rounds = 3; // Each call stays one.
    for (int Round = 0; Round < Rounds; Round++)
      lookBelow(6);
    _exit(IsFound ? 0 : 1);
  };
  EXPECT_EXIT(Run(), testing::ExitedWithCode(0), "");
}

} // namespace
