//===- HandOversTest.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was handed over at an address is forgotten when memory there is born.
//
//===----------------------------------------------------------------------===//

#include "lib/check/HandOvers.h"
#include "gtest/gtest.h"

using namespace atsan;
using check::HandOvers;
using trace::EventKind;

namespace {

using Step = std::pair<EventKind, uint64_t>; ///< At an address.

/// Does the last step, by another thread, hear of the first one?
bool hears(EventKind First, std::vector<Step> Between, EventKind Last) {
  HandOvers Given;
  Between.insert(Between.begin(), {First, 8});
  uint64_t Number = 0;
  trace::Event E;
  for (const auto &[Kind, Address] : Between) {
    E.Kind = Kind;
    E.Address = Address;
    E.Size = 16;
    Given.take(E, ++Number);
  }
  E.Thread = 1;
  E.Kind = Last;
  E.Address = 8;
  return Given.take(E, ++Number) == HandOvers::Effect::Hears;
}

TEST(HandOvers, AreForgottenWhenMemoryIsBorn) {
  const std::pair<EventKind, EventKind> Kinds[] = {
      {EventKind::HappensBefore, EventKind::HappensAfter},
      {EventKind::Release, EventKind::Acquire}};
  for (const auto &[First, Last] : Kinds) {
    EXPECT_TRUE(hears(First, {}, Last));
    EXPECT_TRUE(hears(First, {{EventKind::Birth, 16}}, Last));
    EXPECT_FALSE(hears(First, {{EventKind::Birth, 0}}, Last));
    EXPECT_FALSE(hears(First, {{EventKind::Death, 8}}, Last));
  }
}

} // namespace
