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

#ifndef ATSAN_UNIT_TRACE_RANDOMTRACE_H
#define ATSAN_UNIT_TRACE_RANDOMTRACE_H

#include "lib/trace/BinaryWriter.h"
#include "test/unit/Events.h"
#include <functional>
#include <random>

namespace atsan::trace {

/// None that a binary trace without names would give, too.
class TestNames final : public atsan_test::PlainNames {
public:
  std::string thread(uint32_t Thread) const override {
    return "thread " + std::to_string(Thread);
  }
  std::string location(uint32_t Location) const override {
    return "line " + std::to_string(Location);
  }
};

/// What is likely (loops, neighbours) and what is not (any 64 bits), mixed.
std::vector<Event> randomTrace(std::mt19937_64 &Random);

bool same(const Event &A, const Event &B);
/// The bytes of a binary trace: of what Write gives the writer, or of Events.
std::string writtenBinary(const Names &Known,
                          const std::function<void(BinaryWriter &)> &Write);
std::string toBinary(const std::vector<Event> &Events, const Names &Known);
/// How many times a test is repeated: ATSAN_TRACE_CASES, or `Usually`.
unsigned cases(unsigned Usually);

} // namespace atsan::trace

#endif // ATSAN_UNIT_TRACE_RANDOMTRACE_H
