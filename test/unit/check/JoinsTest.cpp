//===- JoinsTest.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts and joins as edges of the conflict graph: several joins of one thread,
// threads that have no transaction, numbers that come back. Each case has a
// twin in which one thing is otherwise.
//
//===----------------------------------------------------------------------===//

#include "AeroDrome.h"
#include "Findings.h"
#include "lib/check/SharedMemory.h"
#include "lib/trace/StdReader.h"
#include <gtest/gtest.h>

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::Input;
using atsan::trace::StdReader;

namespace {

/// Lines without a location, apart by ';'.
std::vector<Event> trace(std::string Text) {
  std::string Lines;
  for (char C : Text)
    Lines += C == ';' ? "|1\n" : std::string(C == ' ' ? "" : std::string(1, C));
  Lines += "|1\n";
  StdReader Reader(Input::ofText(Lines, "t.std"), {/*Lenient=*/true});
  std::vector<Event> Events;
  for (auto Span = Reader.next(); !Span.empty(); Span = Reader.next())
    Events.insert(Events.end(), Span.begin(), Span.end());
  EXPECT_EQ(Reader.damage(), "");
  return Events;
}

std::vector<Event> sharedOnly(const std::vector<Event> &Events) {
  SharedMemory Memory;
  for (const Event &E : Events)
    Memory.collect(E);
  SharedFilter Wanted(Memory);
  std::vector<Event> Kept;
  for (const Event &E : Events)
    if (Wanted.keeps(E))
      Kept.push_back(E);
  return Kept;
}

/// The closing event, which all ways to decide agree on.
uint64_t closing(const std::string &Text, const char *Splits = "all") {
  const std::vector<Event> Events = trace(Text);
  Options O;
  EXPECT_TRUE(O.Splits.parse(Splits));
  const uint64_t Scg = firstClosing(findings("scg", Events, O));
  EXPECT_EQ(firstClosing(findings("conflict-graph", Events, O)), Scg) << Text;
  EXPECT_EQ(!findings("scg", sharedOnly(Events), O).empty(), Scg != 0) << Text;
  if (std::string(Splits) == "none") {
    AeroDrome A;
    bool Sees = false;
    for (const Event &E : Events)
      Sees |= A.take(E);
    EXPECT_EQ(Sees | A.finish(), Scg != 0) << Text;
  }
  return Scg;
}

TEST(Joins, EachOfSeveralIsAnEdge) {
  const std::string Rest = "T2|w(y);T3|r(y);T3|end";
  const std::string First = "T3|begin;T3|w(x);T0|r(x);";
  for (const char *Splits : {"all", "none"}) {
    EXPECT_EQ(closing(First + "T1|join(T0);T2|join(T0);" + Rest, Splits), 7u);
    EXPECT_EQ(closing(First + "T2|join(T0);T1|join(T0);" + Rest, Splits), 7u);
    EXPECT_EQ(closing(First + "T2|join(T0);T2|join(T0);" + Rest, Splits), 7u);
    EXPECT_EQ(closing(First + "T1|join(T0);T1|join(T0);" + Rest, Splits), 0u);
  }
}

TEST(Joins, AreSaidToBeJoins) {
  for (const char *Name : {"scg", "conflict-graph"}) {
    const auto Found =
        findings(Name, trace("T3|begin;T3|w(x);T0|r(x);T1|join(T0);T2|join(T0);"
                             "T2|w(y);T3|r(y);T3|end"));
    ASSERT_EQ(Found.size(), 1u);
    ASSERT_EQ(Found[0].Relations.size(), 3u);
    EXPECT_EQ(Found[0].Relations[1].Why, "thread join");
    EXPECT_EQ(Found[0].Relations[1].First.Number, 0u);
    EXPECT_EQ(Found[0].Relations[1].First.What.Thread, 1u);
    EXPECT_EQ(Found[0].Relations[1].Later.Number, 5u);
  }
}

TEST(Joins, OfAThreadWithoutATransactionAreNone) {
  EXPECT_EQ(closing("T1|begin;T1|fork(T2);T1|join(T2);T1|end", "none"), 0u);
  for (const char *Does :
       {"T2|r(z)", "T2|begin;T2|end", "T2|fork(T4)", "T2|join(T5)"})
    EXPECT_NE(closing(std::string("T1|begin;T1|fork(T2);") + Does +
                          ";T1|join(T2);T1|end",
                      "none"),
              0u)
        << Does;
  // Locks are no transactions, as long as they are no edges.
  EXPECT_EQ(closing("T1|begin;T1|fork(T2);T2|acq(l);T2|rel(l);T1|join(T2);"
                    "T1|end",
                    "barrier"),
            0u);
  // Through other threads, whatever divides regions.
  const std::string First = "T3|begin;T3|w(x);T0|r(x);T0|fork(T1);";
  const std::string Rest = "T2|join(T1);T2|w(y);T3|r(y);T3|end";
  for (const char *Splits : {"all", "none"}) {
    EXPECT_EQ(closing(First + Rest, Splits), 0u);
    EXPECT_EQ(closing(First + "T1|r(z);" + Rest, Splits), 8u);
  }
}

TEST(Joins, OfANumberThatCameBackAreOfItsLastThread) {
  const std::string First = "T3|begin;T3|w(x);T0|r(x);T1|join(T0);";
  const std::string Rest = "T2|join(T0);T2|w(y);T3|r(y);T3|end";
  EXPECT_EQ(closing(First + Rest), 7u);
  EXPECT_EQ(closing(First + "T0|r(z);" + Rest), 0u);
  EXPECT_EQ(closing(First + "T1|fork(T0);" + Rest), 0u);
  EXPECT_EQ(closing(First + "T0|acq(l);" + Rest), 0u);
  EXPECT_EQ(closing(First + "T0|r(x);" + Rest), 8u);
}

TEST(Joins, StartOfAThreadThatRunsIsNone) {
  const char Splits[] = "barrier"; // AeroDrome does not know this rule.
  const std::string Rest = "T1|fork(T0);T0|w(y);T1|r(y);T1|end";
  // Before any region is open, too.
  EXPECT_EQ(closing("T0|r(z);T1|begin;" + Rest, Splits), 0u);
  EXPECT_EQ(closing("T1|begin;T0|r(z);" + Rest, Splits), 0u);
  EXPECT_EQ(closing("T1|begin;" + Rest, Splits), 4u);
}

} // namespace
