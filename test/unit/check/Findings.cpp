//===- Findings.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"
#include "lib/check/Registry.h"
#include <gtest/gtest.h>

using namespace atsan::check;
using atsan::trace::Event;

namespace atsan_test {

std::unique_ptr<Analysis> analysed(const char *Algorithm,
                                   const std::vector<Event> &Events,
                                   const Options &Given) {
  auto A = findAlgorithm(Algorithm)->Create(Given);
  A->consume({Events.data(), Events.size()});
  A->finish();
  return A;
}

std::vector<Finding> findings(const char *Algorithm,
                              const std::vector<Event> &Events,
                              const Options &Given) {
  const auto A = analysed(Algorithm, Events, Given);
  EXPECT_EQ(A->gaveUp(), "") << Algorithm;
  return A->findings();
}

uint64_t firstClosing(const std::vector<Finding> &Found) {
  return Found.empty() ? 0 : Found.front().Closing;
}

} // namespace atsan_test
