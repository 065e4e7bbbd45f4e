//===- SanitizerListsTest.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Last-one-wins over lists and groups.
//
//===----------------------------------------------------------------------===//

#include "tools/driver/SanitizerLists.h"
#include "tools/driver/Invocation.h"
#include "gtest/gtest.h"

using namespace atsan::driver;

namespace {

SanitizerLists read(std::vector<const char *> Argv) {
  Invocation Inv = parseInvocation(Argv);
  return readSanitizerLists(Inv.Args);
}

TEST(SanitizerLists, LastOneWins) {
  EXPECT_TRUE(read({"-fsanitize=atomicity"}).Atomicity);
  EXPECT_TRUE(
      read({"-fno-sanitize=all", "-fsanitize=null,atomicity"}).Atomicity);
  EXPECT_FALSE(read({"-fsanitize=atomicity", "-fno-sanitize=all"}).Atomicity);
  EXPECT_FALSE(
      read({"-fsanitize=atomicity", "-fno-sanitize=atomicity"}).Atomicity);
  EXPECT_FALSE(read({"-fsanitize=thread"}).Mentioned);
  EXPECT_TRUE(read({"-fno-sanitize=atomicity"}).Mentioned);
}

TEST(SanitizerLists, OnlyListsWithTheNameAreEdited) {
  SanitizerLists Lists = read({"-fsanitize=null", "-fsanitize=atomicity",
                               "-fsanitize=bounds,atomicity"});
  ASSERT_EQ(Lists.Edits.size(), 2u);
  EXPECT_EQ(Lists.Edits.at(1), std::nullopt);
  EXPECT_EQ(Lists.Edits.at(2), "-fsanitize=bounds");
}

TEST(SanitizerLists, ChecksThatNeedARuntime) {
  auto Needs = [](std::vector<const char *> Argv) {
    return static_cast<bool>(checksCallingUBSanRuntime(read(Argv)));
  };
  EXPECT_TRUE(Needs({"-fsanitize=undefined"}));
  EXPECT_TRUE(Needs({"-fsanitize=undefined", "-fsanitize-trap=null"}));
  EXPECT_TRUE(Needs({"-fsanitize=undefined", "-fsanitize-trap=undefined",
                     "-fno-sanitize-trap=null"}));
  EXPECT_FALSE(Needs({"-fsanitize=undefined", "-fsanitize-trap=undefined"}));
  EXPECT_FALSE(Needs({"-fsanitize=undefined", "-fsanitize-trap"}));
  EXPECT_FALSE(
      Needs({"-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"}));
  EXPECT_FALSE(Needs({"-fsanitize=null", "-fno-sanitize=undefined"}));
  EXPECT_FALSE(Needs({"-fsanitize=cfi"}));
  EXPECT_FALSE(Needs({"-fsanitize=thread"}));
}

TEST(SanitizerLists, MisplacedName) {
  EXPECT_EQ(read({"-fno-sanitize-recover=null,atomicity"}).Misplaced,
            "-fno-sanitize-recover=null,atomicity");
  EXPECT_EQ(read({"-fsanitize-recover=null"}).Misplaced, "");
}

} // namespace
