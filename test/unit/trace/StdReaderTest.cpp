//===- StdReaderTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// STD text: what is read, and what each mistake is called. The grammar is that
// of RAPID's reader, which docs/std-text.md describes.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/StdReader.h"
#include "test/unit/Events.h"
#include <gtest/gtest.h>
#include <random>

using namespace atsan::trace;

namespace {

struct Text {
  std::unique_ptr<StdReader> Reader;
  std::vector<Event> Events;
};

Text read(std::string Bytes, bool Lenient = false) {
  Text Result;
  Result.Reader = std::make_unique<StdReader>(
      Input::ofText(std::move(Bytes), "t.std"), StdOptions{Lenient});
  Result.Events = atsan_test::readAll(*Result.Reader);
  return Result;
}

/// The complaint, and that all lines before it were read.
std::string damage(const std::string &Bytes, size_t Before = 0) {
  const Text T = read(Bytes);
  EXPECT_EQ(T.Events.size(), Before) << Bytes;
  return T.Reader->damage();
}

std::string describe(const Event &E, const Names &N) {
  std::string Result = N.thread(E.Thread) + " ";
  switch (E.Kind) {
  case EventKind::Read:
    return Result + "r " + N.variable(E.Address);
  case EventKind::Write:
    return Result + "w " + N.variable(E.Address);
  case EventKind::Acquire:
    return Result + "acq " + N.lock(E.Address);
  case EventKind::Release:
    return Result + "rel " + N.lock(E.Address);
  case EventKind::Start:
    return Result + "fork " + N.thread(E.Address);
  case EventKind::Join:
    return Result + "join " + N.thread(E.Address);
  case EventKind::RegionBegin:
    return Result + "begin " + N.region(E.Address);
  case EventKind::RegionEnd:
    return Result + "end " + N.region(E.Address);
  default:
    return Result + "?";
  }
}

TEST(StdReader, ByteOrderMarkIsNoPartOfTheFirstName) {
  const Text T = read("\xef\xbb\xbfT1|w(x)|1\nT1|r(x)|2\n");
  ASSERT_EQ(T.Events.size(), 2u);
  EXPECT_EQ(T.Events[0].Thread, T.Events[1].Thread);
  EXPECT_EQ(T.Reader->names().thread(0), "T1");
  // Columns are those of what an editor shows.
  EXPECT_EQ(damage("\xef\xbb\xbfT1|oops|1\n").rfind("t.std:1:4: ", 0), 0u);
}

TEST(StdReader, EveryOperation) {
  const Text T =
      read("T0|fork(T1)|1\nT1|begin|2\nT1|acq(L)|3\nT1|r(V1.2[0])|4\n"
           "T1|w(x)|5\nT1|rel(L)|6\nT1|end|7\nT0|join(T1)|8\n");
  EXPECT_EQ(T.Reader->damage(), "");
  const char *Expected[] = {"T0 fork T1",   "T1 begin ", "T1 acq L",
                            "T1 r V1.2[0]", "T1 w x",    "T1 rel L",
                            "T1 end ",      "T0 join T1"};
  ASSERT_EQ(T.Events.size(), std::size(Expected));
  const Names &N = T.Reader->names();
  for (size_t I = 0; I < T.Events.size(); ++I) {
    EXPECT_EQ(describe(T.Events[I], N), Expected[I]);
    EXPECT_EQ(N.location(T.Events[I].Location), std::to_string(I + 1));
  }
}

TEST(StdReader, WhatRapidReadsToo) {
  // No newline at the end; carriage returns; '(' and ')' within names; what
  // stands in the parentheses of begin and end, if any.
  const Text T =
      read("T 1|begin()|+1\r\nT 1|begin(a(b))|-5\r\nT 1|r(f(x))|007\n"
           "T 1|w(x\xc3\xa9)|2147483647\nT 1|end(a(b))|0\nT 1|end()|"
           "-2147483648");
  EXPECT_EQ(T.Reader->damage(), "");
  const char *Expected[] = {"T 1 begin ",      "T 1 begin a(b)", "T 1 r f(x)",
                            "T 1 w x\xc3\xa9", "T 1 end a(b)",   "T 1 end "};
  const char *Locations[] = {"1", "-5", "7", "2147483647", "0", "-2147483648"};
  ASSERT_EQ(T.Events.size(), std::size(Expected));
  for (size_t I = 0; I < T.Events.size(); ++I) {
    EXPECT_EQ(describe(T.Events[I], T.Reader->names()), Expected[I]);
    EXPECT_EQ(T.Reader->names().location(T.Events[I].Location), Locations[I]);
  }
}

TEST(StdReader, NamesHaveTheirKinds) {
  const Text T = read("x|r(x)|0\nx|w(y)|0\nx|acq(x)|0\nx|acq(y)|0\ny|r(y)|0\n");
  ASSERT_EQ(T.Events.size(), 5u);
  EXPECT_EQ(T.Events[0].Thread, 0u);
  EXPECT_EQ(T.Events[4].Thread, 1u);
  EXPECT_EQ(T.Events[1].Address, T.Events[4].Address);
  // Every variable an aligned word; locks are elsewhere.
  for (unsigned I : {0, 1}) {
    EXPECT_EQ(T.Events[I].Address % T.Events[I].Size, 0u);
    EXPECT_EQ(T.Events[I].Size, StdNames::VariableSize);
  }
  EXPECT_EQ(T.Events[1].Address, T.Events[0].Address + StdNames::VariableSize);
  for (unsigned I : {2, 3})
    for (unsigned J : {0, 1})
      EXPECT_NE(T.Events[I].Address, T.Events[J].Address);
}

TEST(StdReader, NumbersWithoutAName) {
  const Text T = read("T0|r(x)|0\n");
  const Names &N = T.Reader->names();
  EXPECT_EQ(N.variable(3 * 8), "0x18");
  EXPECT_EQ(N.variable(0), "0x0");
  EXPECT_EQ(N.lock(8), "0x8");
  EXPECT_EQ(N.thread(7), "T7");
  EXPECT_EQ(N.region(0), "");
  EXPECT_EQ(N.region(3), "");
}

TEST(StdReader, Mistakes) {
  const struct {
    const char *Bytes;
    const char *Place;
    const char *Why;
  } Cases[] = {
      {"\n", "t.std:2:1: ", "the line is empty"},
      {"\r\n", "t.std:2:1: ", "the line is empty"},
      {"T1\n", "t.std:2:3: ", "operation and location are missing"},
      {"|r(x)|1\n", "t.std:2:1: ", "thread's name is missing"},
      {"T1|r(x)\n", "t.std:2:8: ", "location is missing"},
      {"T1|r(x)\r\n", "t.std:2:8: ", "location is missing"},
      {"T1|r(x", "t.std:2:7: ", "location is missing"},
      {"T1|r(x|1\n", "t.std:2:7: ", "')' is missing"},
      {"T1|r(|1\n", "t.std:2:6: ", "a name is missing"},
      {"T1|r()|1\n", "t.std:2:6: ", "a name is missing"},
      {"T1|r(x y)|1\n", "t.std:2:7: ", "a blank in a name"},
      {"T1|r(x\ty)|1\n", "t.std:2:7: ", "a control character"},
      {"T\x7f|r(x)|1\n", "t.std:2:2: ", "a control character"},
      {"T1| r(x)|1\n", "t.std:2:4: ", "no operation"},
      {"T1|read(x)|1\n", "t.std:2:4: ", "no operation"},
      {"T1|r|1\n", "t.std:2:4: ", "no operation"},
      {"T1|dummy(x)|1\n", "t.std:2:4: ", "no operation"},
      {"T1|beginning|1\n", "t.std:2:4: ", "no operation"},
      {"T1|R(x)|1\n", "t.std:2:4: ", "no operation"},
      {"T1||1\n", "t.std:2:4: ", "no operation"},
      {"# comment\n", "t.std:2:10: ", "missing"},
      {"T1|r(x)|\n", "t.std:2:9: ", "must be a number"},
      {"T1|r(x)|a.c:7\n", "t.std:2:9: ", "must be a number"},
      {"T1|r(x)|-\n", "t.std:2:10: ", "must be a number"},
      {"T1|r(x)|2147483648\n", "t.std:2:9: ", "2147483647"},
      {"T1|r(x)|-2147483649\n", "t.std:2:9: ", "2147483647"},
      {"T1|r(x)|99999999999999999999\n", "t.std:2:9: ", "2147483647"},
      {"T1|r(x)|1 \n", "t.std:2:10: ", "must end after"},
      {"T1|r(x)|1|2\n", "t.std:2:10: ", "must end after"},
      {"T1|end|1\n", "t.std:2:4: ", "T1 ends a region and is in none"},
      {"T1|rel(l)|1\n", "t.std:2:4: ", "T1 releases l and does not hold it"},
      {"T1|fork(T0)|1\n", "t.std:2:4: ", "T1 starts T0, which runs already"},
      {"T1|fork(T1)|1\n", "t.std:2:4: ", "T1 starts T1, which runs already"},
      {"T1|join(T1)|1\n", "t.std:2:4: ", "T1 joins itself"},
      {"T1|join(T9)|1\n", "t.std:2:4: ", "T1 joins T9, which never ran"},
  };
  for (const auto &C : Cases) {
    const std::string Damage = damage(std::string("T0|w(x)|1\n") + C.Bytes, 1);
    EXPECT_EQ(Damage.substr(0, std::strlen(C.Place)), C.Place)
        << C.Bytes << Damage;
    EXPECT_NE(Damage.find(C.Why), std::string::npos) << C.Bytes << Damage;
    EXPECT_EQ(Damage.find('\n'), std::string::npos) << C.Bytes << Damage;
  }
}

TEST(StdReader, MistakesThatNeedAStory) {
  EXPECT_NE(damage("A|acq(l)|1\nB|acq(l)|2\n", 1)
                .find("t.std:2:3: B acquires l, which another thread holds"),
            std::string::npos);
  EXPECT_NE(damage("A|acq(l)|1\nB|rel(l)|2\n", 1).find("does not hold"),
            std::string::npos);
  EXPECT_NE(damage("A|fork(B)|1\nA|fork(B)|2\n", 1).find("runs already"),
            std::string::npos);
  EXPECT_NE(damage("A|fork(B)|1\nA|join(B)|2\nB|r(x)|3\n", 2)
                .find("B goes on after it was joined"),
            std::string::npos);
  // Their correct twins: a lock that is taken again by its holder, a thread
  // that two others wait for, and what is left open at the end.
  EXPECT_EQ(
      damage("A|acq(l)|1\nA|acq(l)|1\nA|rel(l)|1\nA|rel(l)|1\nB|acq(l)|2\n", 5),
      "");
  EXPECT_EQ(damage("A|fork(C)|1\nB|join(C)|2\nA|join(C)|2\n", 3), "");
  EXPECT_EQ(damage("A|begin|1\nA|begin|1\nA|end|1\n", 3), "");
}

TEST(StdReader, LenientIsLikeRapid) {
  const char *Bytes =
      "A|end|1\nA|rel(l)|1\nA|acq(l)|1\nB|acq(l)|1\nA|join(A)|1\n"
      "A|join(Z)|1\nA|fork(B)|1\nZ|r(x)|1\n";
  const Text T = read(Bytes, true);
  EXPECT_EQ(T.Events.size(), 8u);
  EXPECT_EQ(T.Reader->damage(), "");
}

TEST(StdReader, LongLinesAndNames) {
  // All lengths around those of a word, so that each way to compare is taken.
  std::string Bytes;
  for (int Round = 0; Round < 2; ++Round)
    for (size_t Size = 1; Size < 40; ++Size)
      for (char Last : {'a', 'b'})
        Bytes += "T|r(" + std::string(Size - 1, 'x') + Last + ")|1\n";
  const Text T = read(Bytes);
  ASSERT_EQ(T.Events.size(), 2 * 78u);
  for (size_t I = 0; I < 78; ++I) {
    EXPECT_EQ(T.Events[I].Address, StdNames::variableAddress(I));
    EXPECT_EQ(T.Events[78 + I].Address, T.Events[I].Address);
  }

  const std::string Long(60000, 'x');
  EXPECT_EQ(damage("T|r(" + Long + ")|1\n", 1), "");
  const std::string TooLong(2000000, 'x');
  EXPECT_NE(damage("T|r(y)|1\nT|r(" + TooLong + ")|1\n", 1)
                .find("t.std:2:1: the line has more than 65536 bytes"),
            std::string::npos);
  EXPECT_NE(
      damage("T|r(" + std::string(70000, 'x') + ")|1\n", 0).find("65536 bytes"),
      std::string::npos);
  EXPECT_NE(damage(TooLong, 0).find("65536 bytes"), std::string::npos);
  EXPECT_NE(damage(std::string(9, '\0')).find("a control character"),
            std::string::npos);
}

/// Fields that end before, at and behind what the reader looks at at once.
TEST(StdReader, EveryLengthOfFields) {
  std::string Bytes;
  std::vector<std::string> Expected;
  for (size_t Thread = 1; Thread <= 36; ++Thread)
    for (size_t Variable = 1; Variable <= 36; ++Variable)
      for (size_t Digits = 1; Digits <= 9; ++Digits) {
        const std::string T(Thread, 't'), V(Variable, 'v'),
            L = std::string("987654321").substr(9 - Digits);
        Bytes += T;
        Bytes += "|w(" + V + ")|" + L + "\n";
        Expected.push_back(T + " w " + V + " " + L);
      }
  const Text T = read(std::move(Bytes));
  EXPECT_EQ(T.Reader->damage(), "");
  ASSERT_EQ(T.Events.size(), Expected.size());
  const Names &N = T.Reader->names();
  for (size_t I = 0; I < Expected.size(); ++I)
    ASSERT_EQ(describe(T.Events[I], N) + " " + N.location(T.Events[I].Location),
              Expected[I]);
}

TEST(StdReader, EmptyText) { EXPECT_EQ(damage(""), ""); }

// Lines across the borders of buffer and batch, and many names.
TEST(StdReader, ManyLines) {
  std::mt19937_64 Random(1);
  std::string Bytes;
  std::vector<std::string> Expected;
  for (unsigned I = 0; I < 300000; ++I) {
    const std::string Thread = "T" + std::to_string(Random() % 20);
    const std::string Name = "V" + std::to_string(Random() % 50000) +
                             std::string(Random() % 12, '.');
    const bool IsRead = Random() % 2;
    Bytes += Thread + (IsRead ? "|r(" : "|w(") + Name + ")|" +
             std::to_string(I) + "\n";
    Expected.push_back(Thread + (IsRead ? " r " : " w ") + Name);
  }
  const Text T = read(Bytes);
  EXPECT_EQ(T.Reader->damage(), "");
  ASSERT_EQ(T.Events.size(), Expected.size());
  for (size_t I = 0; I < Expected.size(); ++I) {
    ASSERT_EQ(describe(T.Events[I], T.Reader->names()), Expected[I]);
    ASSERT_EQ(T.Events[I].Location, I);
  }
  EXPECT_EQ(T.Reader->bytesRead(), Bytes.size());
  EXPECT_EQ(T.Reader->bytesTotal(), Bytes.size());
}

} // namespace
