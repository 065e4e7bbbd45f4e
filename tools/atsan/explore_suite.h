//===- explore_suite.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan explore -- ctest ...`: a whole suite, test by test.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_SUITE_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_SUITE_H

#include "tools/atsan/explore_search.h"

namespace atsan::tool {

struct SuiteTest {
  std::string Name;
  std::vector<std::string> Command; ///< With its folder and variables.
  std::string Problem; ///< Why it cannot be explored; empty: it can.
};

/// Is it a command of ctest, which runs others?
bool isSuite(const std::vector<std::string> &Command);
/// The tests that the command would run. Throws InputError.
std::vector<SuiteTest> testsOf(const std::vector<std::string> &Command);

struct ExploredTest {
  std::string Name;
  ExploreOptions By;
  Explored Seen;
  std::string Problem; ///< Why it was not explored; empty: it was.
  double Seconds = 0;
};

/// Explores each test by \p O, O.Jobs of them at a time, and hands it out when
/// it is done, one after the other.
void exploreTests(const ExploreOptions &O, const std::vector<SuiteTest> &Tests,
                  const std::function<void(const ExploredTest &)> &OnEnd);

} // namespace atsan::tool

#endif
