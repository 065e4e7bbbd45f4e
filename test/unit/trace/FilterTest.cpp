//===- FilterTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which events of one trace each filter lets through.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Filter.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>

using namespace atsan::trace;
using atsan_test::event;
using K = EventKind;

namespace {

/// Location 1 is in f() of a.c, 2 in g() of a.h; main() of main.c called both.
class StackNames final : public atsan_test::PlainNames {
public:
  std::vector<Frame> stack(uint32_t Location) const override {
    if (!Location)
      return {};
    Frame Top, Main;
    Top.Function = Location == 1 ? "f()" : "g()";
    Top.File = Location == 1 ? "/code/a.c" : "/code/a.h";
    Main.Function = "main";
    Main.File = "/code/main.c";
    return {Top, Main};
  }
};

const std::vector<Event> Trace = {
    event(0, K::Start, 1),            // 1
    event(1, K::RegionBegin, 1),      // 2
    event(1, K::RegionBegin, 2),      // 3
    event(1, K::Acquire, 0x20),       // 4
    event(1, K::Read, 0x10, 4),       // 5: f()
    event(1, K::RegionEnd),           // 6
    event(0, K::Write, 0x13, 1),      // 7: g()
    event(1, K::Write, 0x10, 4),      // 8: f()
    event(1, K::End),                 // 9
    event(1, K::Read, 0x20, 8),       // 10: another thread by now.
    event(0, K::Birth, 0x8, 16),      // 11
    event(0, K::Death, 0x10, 1),      // 12
    event(0, K::Read, 0x10, 0),       // 13
    event(0, K::AcquireShared, 0x20), // 14
    event(0, K::ReleaseShared, 0x20), // 15
    event(0, K::RegionEnd),           // 16
    event(0, K::Pointer, 0x10, 0x10), // 17
};

/// "2 3 5".
std::string wanted(const FilterOptions &O) {
  Filter F(O);
  std::string Text;
  for (size_t I = 0; I < Trace.size() && !F.isOver(); ++I) {
    Event E = Trace[I];
    E.Location = I + 1 == 5 || I + 1 == 8 ? 1 : I + 1 == 7 ? 2 : 0;
    if (F.take(E, StackNames()))
      Text += (Text.empty() ? "" : " ") + std::to_string(I + 1);
  }
  return Text;
}

using Texts = std::vector<std::string>;

std::string wanted(Texts FilterOptions::*Which, const Texts &Names) {
  FilterOptions O;
  O.*Which = Names;
  return wanted(O);
}

TEST(Filter, Everything) {
  EXPECT_EQ(wanted(FilterOptions()),
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17");
}

TEST(Filter, Threads) {
  EXPECT_EQ(wanted(&FilterOptions::Threads, {"T1"}), "2 3 4 5 6 8 9 10");
  EXPECT_EQ(wanted(&FilterOptions::Threads, {"T1", "T0"}),
            wanted(FilterOptions()));
  EXPECT_EQ(wanted(&FilterOptions::Threads, {"T"}), "");
}

TEST(Filter, RegionsAreThoseThatAreOpen) {
  EXPECT_EQ(wanted(&FilterOptions::Regions, {"r1"}), "2 3 4 5 6 8 9");
  EXPECT_EQ(wanted(&FilterOptions::Regions, {"r2"}), "3 4 5 6");
  EXPECT_EQ(wanted(&FilterOptions::Regions, {"r3", "r2"}), "3 4 5 6");
  FilterOptions Late;
  Late.Regions = {"r1"};
  Late.From = 5;
  Late.To = 8;
  EXPECT_EQ(wanted(Late), "5 6 8");
}

TEST(Filter, VariablesAndLocks) {
  EXPECT_EQ(wanted(&FilterOptions::Variables, {"x10"}), "5 8 13");
  EXPECT_EQ(wanted(&FilterOptions::Variables, {"x20", "x13"}), "7 10");
  EXPECT_EQ(wanted(&FilterOptions::Locks, {"l20"}), "4 14 15");
  EXPECT_EQ(wanted(&FilterOptions::Locks, {"l10"}), "");
}

TEST(Filter, AddressesAreOfMemory) {
  FilterOptions O;
  O.Addresses = {{0x13, 0x13}};
  EXPECT_EQ(wanted(O), "5 7 8 11");
  O.Addresses = {{0, 0x10}};
  EXPECT_EQ(wanted(O), "5 8 11 12");
  O.Addresses = {{0x18, 0x1f}};
  EXPECT_EQ(wanted(O), "");
  O.Addresses = {{0x18, 0x1f}, {0x27, 0x27}};
  EXPECT_EQ(wanted(O), "10");
}

TEST(Filter, KindsAndPlaces) {
  FilterOptions O;
  O.Kinds = {K::Birth, K::RegionEnd};
  EXPECT_EQ(wanted(O), "6 11 16");
  O.From = 11;
  EXPECT_EQ(wanted(O), "11 16");
  O.To = 11;
  EXPECT_EQ(wanted(O), "11");
}

TEST(Filter, FunctionsAndFilesAreOfOneFrame) {
  EXPECT_EQ(wanted(&FilterOptions::Functions, {"f"}), "5 8");
  EXPECT_EQ(wanted(&FilterOptions::Functions, {"f", "g"}), "5 7 8");
  EXPECT_EQ(wanted(&FilterOptions::Functions, {"mai"}), "5 7 8");
  EXPECT_EQ(wanted(&FilterOptions::Files, {"a.h"}), "7");
  EXPECT_EQ(wanted(&FilterOptions::Files, {"b.c"}), "");
  FilterOptions Both;
  Both.Functions = {"f"};
  Both.Files = {"a.c"};
  EXPECT_EQ(wanted(Both), "5 8");
  Both.Files = {"main.c"};
  EXPECT_EQ(wanted(Both), "");
}

// Whoever reads a long trace stops there.
TEST(Filter, IsOverAfterTheLast) {
  FilterOptions O;
  O.To = 2;
  Filter F(O);
  EXPECT_TRUE(F.take(Trace[0], StackNames()));
  EXPECT_FALSE(F.isOver());
  EXPECT_TRUE(F.take(Trace[1], StackNames()));
  EXPECT_TRUE(F.isOver());
  EXPECT_FALSE(F.take(Trace[2], StackNames()));
}

} // namespace
