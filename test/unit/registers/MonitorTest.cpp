//===- MonitorTest.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The monitor of running programs against the oracle, fed with the events of
// small random histories; and the bounds of its memory.
//
//===----------------------------------------------------------------------===//

#include "include/sanitizer/atsan_register_monitor.h"
#include "lib/registers/Sweep.h"
#include "test/unit/registers/Permutations.h"
#include "test/unit/registers/RandomHistory.h"
#include <gtest/gtest.h>
#include <memory>

using namespace atsan::registers;
using namespace atsan::registers::test;
using atsan::detail::operation;
using atsan::detail::register_monitor;
using atsan::detail::word;

namespace {

/// Tells the monitor what a sweep sees.
struct Feed {
  const std::vector<Operation> &All;
  register_monitor &To;
  std::vector<unsigned> Names;
  int Offending = -1;

  static operation what(Kind K) {
    switch (K) {
    case Kind::Read:
      return operation::read;
    case Kind::Cas:
      return operation::cas;
    case Kind::Swap:
      return operation::exchange;
    case Kind::Add:
      return operation::add;
    case Kind::FetchAdd:
      return operation::fetch_add;
    default:
      return operation::write;
    }
  }
  /// Some reads are told as compare-and-swap operations that were refused.
  bool isRefused(uint32_t I) const {
    return All[I].What == Kind::Read && I % 2;
  }
  uint32_t call(uint32_t I) {
    const Operation &O = All[I];
    if (isRefused(I)) {
      Names.push_back(To.call(O.Process, operation::cas, 5, 77, I));
      return 0;
    }
    word Argument = word(O.Argument), Expected = word(O.Expected);
    if (O.What == Kind::FetchAdd)
      Argument -= Expected;
    Names.push_back(To.call(O.Process, what(O.What), Argument, Expected, I));
    return 0;
  }
  bool ret(uint32_t I, uint32_t) {
    const Operation &O = All[I];
    const word Found =
        O.What == Kind::Read ? word(O.Argument) : word(O.Expected);
    if (To.ret(Names[I], Found, O.What == Kind::Cas))
      return true;
    Offending = int(To.violation().site);
    return false;
  }
};

/// The index of the operation that is too much; -1: there is none.
int monitor(const Register &R, register_monitor &To) {
  To.reset(word(R.Initial), ~word(0));
  Feed F{R.Operations, To, {}};
  if (sweep(R.Operations, F) && !To.finish())
    F.Offending = int(To.violation().site);
  return F.Offending;
}

/// The monitor is told which value a refused compare-and-swap found.
void tellFound(Register &R) {
  for (Operation &O : R.Operations)
    if (O.What == Kind::RefusedCas)
      O.What = Kind::Read;
}

TEST(RegisterMonitor, AgreesWithTheOracle) {
  std::mt19937_64 Random(7);
  const auto To = std::make_unique<register_monitor>();
  unsigned Violations = 0;
  for (unsigned I = 0; I != histories(); ++I) {
    Shape Of;
    Of.Processes = 2 + I % 4;
    Of.OneWriter = I % 5 == 0;
    Of.ReadsAndWrites = I % 3 == 0;
    Register R = randomHistory(Random, Of);
    tellFound(R);
    const int Offending = firstOffending(R.Operations, R.Initial);
    Violations += Offending >= 0;
    ASSERT_EQ(monitor(R, *To), Offending) << text(R);
  }
  EXPECT_GT(Violations, histories() / 50);
}

/// A register that works, with operations that stay open for long: no false
/// alarm, however many events wait.
TEST(RegisterMonitor, LongOperationsAreNoViolation) {
  std::mt19937_64 Random(3);
  const auto To = std::make_unique<register_monitor>();
  To->reset(0, ~word(0));
  word Held = 0;
  struct Open {
    unsigned Name;
    operation What;
    word Argument, Expected, Found;
    bool IsDone, Changed;
  };
  std::vector<Open> Now;
  const auto TakeEffect = [&](Open &O) {
    if (O.IsDone)
      return;
    O.IsDone = true;
    O.Found = Held;
    O.Changed = O.What != operation::cas || Held == O.Expected;
    if (O.What == operation::fetch_add)
      Held += O.Argument;
    else if (O.What != operation::read && O.Changed)
      Held = O.Argument;
  };
  for (unsigned I = 0; I != 200000; ++I) {
    const unsigned Choice = Random() % 3;
    if (Choice == 0 && Now.size() < 8) {
      Open O = {
          0,    operation(Random() % 5), Random() % 4, Random() % 4, 0, false,
          false};
      O.Name =
          To->call(unsigned(Now.size()), O.What, O.Argument, O.Expected, 0);
      Now.push_back(O);
    } else if (Choice == 1 && !Now.empty()) {
      // Those that wait mostly take effect at last.
      const size_t At = Random() % Now.size();
      if (At > 1 || Random() % 2000 == 0)
        TakeEffect(Now[At]);
    } else if (!Now.empty()) {
      // The first two wait for very long.
      const bool IsAny = Random() % 3000 == 0;
      if (!IsAny && Now.size() < 3)
        continue;
      const size_t At = IsAny ? Random() % Now.size() : Now.size() - 1;
      TakeEffect(Now[At]);
      ASSERT_TRUE(To->ret(Now[At].Name, Now[At].Found,
                          Now[At].Changed && Now[At].What != operation::read))
          << I;
      Now.erase(Now.begin() + std::ptrdiff_t(At));
    }
  }
  EXPECT_FALSE(To->is_turned_off());
  EXPECT_GT(To->operations_decided(), 50000u);
  // It still finds what is wrong.
  for (const Open &O : Now)
    To->ret(O.Name, O.Found, O.Changed && O.What != operation::read);
  const unsigned W = To->call(0, operation::write, 9, 0, 0);
  EXPECT_TRUE(To->ret(W, 0, true));
  const unsigned R = To->call(1, operation::read, 0, 0, 0);
  EXPECT_FALSE(To->ret(R, 8, false));
  ASSERT_NE(To->contradiction(), nullptr);
  EXPECT_EQ(To->contradiction()->argument, 9u);
  // After that, it goes on with any value.
  const unsigned Next = To->call(1, operation::read, 0, 0, 0);
  EXPECT_TRUE(To->ret(Next, 5, false));
}

/// Thousands of operations while one is open: it is watched on.
TEST(RegisterMonitor, OneOpenOperationTurnsNothingOff) {
  for (const operation What :
       {operation::read, operation::write, operation::fetch_add}) {
    const auto To = std::make_unique<register_monitor>();
    To->reset(0, ~word(0));
    const unsigned Long = To->call(0, What, 0, 0, 0);
    for (unsigned I = 1; I != 5000; ++I) {
      const unsigned W = To->call(1, operation::write, I, 0, 0);
      EXPECT_TRUE(To->ret(W, 0, true));
    }
    EXPECT_TRUE(To->ret(Long, 4999, true));
    EXPECT_FALSE(To->is_turned_off());
    const unsigned R = To->call(1, operation::read, 0, 0, 0);
    EXPECT_FALSE(To->ret(R, 1, false));
  }
}

/// Whoever waits as long as it is full learns whether a long read was right.
TEST(RegisterMonitor, WaitingForALongReadDecidesIt) {
  const auto To = std::make_unique<register_monitor>();
  To->reset(0, ~word(0));
  const unsigned Long = To->call(0, operation::read, 0, 0, 0);
  unsigned Writes = 0;
  while (!To->is_full()) {
    ASSERT_LT(Writes, 10000u);
    const unsigned W = To->call(1, operation::write, ++Writes, 0, 0);
    EXPECT_TRUE(To->ret(W, 0, true));
  }
  EXPECT_GT(Writes, 200u);
  EXPECT_FALSE(To->ret(Long, Writes + 1, false));
  EXPECT_FALSE(To->is_full());
}

TEST(RegisterMonitor, ManyOpenOperationsTurnItOff) {
  const auto To = std::make_unique<register_monitor>();
  To->reset(0, ~word(0));
  std::vector<unsigned> Names;
  for (unsigned I = 0; I != 300; ++I)
    Names.push_back(To->call(I, operation::write, I, 0, 0));
  for (const unsigned Name : Names)
    EXPECT_TRUE(To->ret(Name, 0, true));
  EXPECT_TRUE(To->is_turned_off());
}

TEST(RegisterMonitor, AdditionsWrapAtTheirWidth) {
  const auto To = std::make_unique<register_monitor>();
  To->reset(255, 255);
  const unsigned A = To->call(0, operation::fetch_add, 1, 0, 0);
  EXPECT_TRUE(To->ret(A, 255, true));
  const unsigned B = To->call(0, operation::read, 0, 0, 0);
  EXPECT_TRUE(To->ret(B, 0, false));
}

} // namespace
