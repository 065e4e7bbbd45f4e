//===- RandomTrace.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Event streams of all shapes, for tests of what reads and writes them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TEST_RANDOMTRACE_H
#define ATSAN_TEST_RANDOMTRACE_H

#include "trace/Event.h"
#include <random>

namespace atsan::trace {

/// Numbers stand for themselves, but a few have names.
class TestNames final : public Names {
public:
  std::string thread(uint32_t Thread) const override;
  std::string variable(uint64_t Address) const override;
  std::string lock(uint64_t Address) const override;
  std::string region(uint64_t Name) const override;
  std::vector<Frame> stack(uint32_t) const override { return {}; }
  std::string location(uint32_t Location) const override;
};

/// What is likely (loops, neighbours) and what is not (any 64 bits), mixed.
std::vector<Event> randomTrace(std::mt19937_64 &Random);

bool same(const Event &A, const Event &B);
/// The bytes of a binary trace.
std::string toBinary(const std::vector<Event> &Events, const Names &Known);
/// How many times a test is repeated: ATSAN_TRACE_CASES, or `Usually`.
unsigned cases(unsigned Usually);

} // namespace atsan::trace

#endif // ATSAN_TEST_RANDOMTRACE_H
