//===- ErrataTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the SOAR paper (LPD-REPORT-2008-011) is wrong or silent, and the
// histories in it.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Decide.h"
#include <gtest/gtest.h>

using namespace atsan::registers;

namespace {

struct History : Register {
  History &add(Kind What, Value V, Stamp Call, Stamp Return) {
    Operation O;
    O.What = What;
    O.Argument = V;
    O.Call = Call;
    O.Return = Return;
    Operations.push_back(O);
    return *this;
  }
  History &write(Value V, Stamp Call, Stamp Return) {
    return add(Kind::Write, V, Call, Return);
  }
  History &read(Value V, Stamp Call, Stamp Return) {
    return add(Kind::Read, V, Call, Return);
  }
};

/// The verdict of all algorithms that can decide the history, which agree.
Verdict verdict(History H) {
  Values Known;
  sortByCall(H.Operations);
  const Verdict Is = decide("frontier", H, Known, {}).Is;
  for (const AlgorithmInfo &A : algorithms())
    if (whyNot(A.Name, H, Known).empty())
      EXPECT_EQ(decide(A.Name, H, Known, {}).Is, Is) << A.Name;
  return Is;
}

History figure1() {
  return History().write(1, 1, 8).read(0, 2, 4).read(1, 5, 9).read(1, 10, 12);
}

/// w1, w2 by the writer; r11, r12, r13 return 1, 2, 1.
History figure2() {
  return History()
      .write(1, 1, 4)
      .read(1, 2, 5)
      .write(2, 6, 14)
      .read(2, 7, 9)
      .read(1, 10, 13);
}

TEST(RegistersErrata, FiguresOfThePaper) {
  EXPECT_EQ(verdict(figure1()), Verdict::Linearizable);
  EXPECT_EQ(verdict(figure2()), Verdict::Violation);
  EXPECT_EQ(verdict(figure2().read(0, 3, 11)), Verdict::Violation); // r21
}

// The printed algorithm takes a pending read for one that returned 0 at time 0:
// with two readers, a false alarm. Readers drop it (test/tools/registers); what
// the printed one would have been given is a violation.
TEST(RegistersErrata, PendingReadsSayNothing) {
  History Dropped = History().write(1, 1, 2).read(1, 4, 5);
  EXPECT_EQ(verdict(Dropped), Verdict::Linearizable);
  EXPECT_EQ(verdict(Dropped.read(0, 3, 6)), Verdict::Violation);
}

TEST(RegistersErrata, PendingWritesMayTakeEffectAtAnyTime) {
  EXPECT_EQ(verdict(History().write(1, 1, Never).read(0, 2, 3).read(1, 9, 10)),
            Verdict::Linearizable);
  EXPECT_EQ(verdict(History().write(1, 1, Never).read(0, 2, 3)),
            Verdict::Linearizable);
  EXPECT_EQ(verdict(History().write(1, 1, Never).read(1, 2, 3).read(0, 4, 5)),
            Verdict::Violation);
}

// Line l17 prints READ where Tromp's algorithm writes R. It is about the
// algorithm that is checked, not about the assertion: a reader that never
// writes R makes the bit regular, so that a new value is followed by the old.
TEST(RegistersErrata, NewThenOldWithinOneWrite) {
  EXPECT_EQ(verdict(History().write(1, 1, 10).read(1, 2, 3).read(0, 4, 5)),
            Verdict::Violation);
  EXPECT_EQ(verdict(History().write(1, 1, 10).read(0, 2, 3).read(1, 4, 5)),
            Verdict::Linearizable);
}

TEST(RegistersErrata, EqualStampsCallFirst) {
  // The read is called when the write returns: they overlap.
  EXPECT_EQ(verdict(History().write(1, 1, 2).read(0, 2, 3)),
            Verdict::Linearizable);
  EXPECT_EQ(verdict(History().write(1, 1, 2).read(0, 3, 4)),
            Verdict::Violation);
  // The first read returns when the second one is called.
  EXPECT_EQ(verdict(History().write(1, 1, 10).read(1, 2, 4).read(0, 4, 5)),
            Verdict::Linearizable);
}

// The greedy choice is sound for one writer only: the last write that was
// called need not be the last in a linearization.
TEST(RegistersErrata, SoarIsForOneWriter) {
  Values Known;
  History Two = History().write(1, 1, 9).write(2, 2, 3).read(1, 10, 11);
  EXPECT_EQ(verdict(Two), Verdict::Linearizable);
  EXPECT_EQ(decideSoar(Two).Is, Verdict::Violation);
  EXPECT_NE(whyNot("soar", Two, Known), "");
  EXPECT_NE(whyNot("one-writer", Two, Known), "");
}

} // namespace
