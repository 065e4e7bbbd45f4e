//===- RandomRuns.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop of the differential tests that compare what an analysis says of one
// run with what all interleavings of its program say.
//
//   ATSAN_DIFF_PROGRAMS  how many programs
//   ATSAN_DIFF_SEED      the first seed (default 1)
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_RANDOMRUNS_H
#define ATSAN_UNIT_CHECK_RANDOMRUNS_H

#include "Interleavings.h"
#include "test/unit/Setting.h"
#include <gtest/gtest.h>

namespace atsan_test {

inline uint64_t numberOfPrograms(uint64_t Default) {
  return setting("ATSAN_DIFF_PROGRAMS", Default);
}

/// Calls Test(program, events of a run, seed) for `Count` programs Draw(seed),
/// but for those whose runs all seem to deadlock. The first failure ends it,
/// and is told with its program.
template <typename DrawFunction, typename TestFunction>
void forEachRun(uint64_t Count, DrawFunction Draw, TestFunction Test) {
  const uint64_t First = setting("ATSAN_DIFF_SEED", 1);
  for (uint64_t Seed = First; Seed != First + Count; ++Seed) {
    const Program P = Draw(Seed);
    std::mt19937_64 Random(Seed);
    const std::optional<Interleaving> Order = randomInterleaving(P, Random);
    if (!Order)
      continue;
    Test(P, events(P, *Order), Seed);
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "ATSAN_DIFF_SEED=" << Seed << '\n' << describe(P);
      return;
    }
  }
}

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_RANDOMRUNS_H
