//===-- sanitizer/atsan_explore.hpp -----------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a unit test by one schedule of its threads after the other:
//
//   TEST(Queue, PushIsAtomic) {
//     atsan::explore([] {
//       Queue q;
//       std::thread a([&] { q.push(1); }), b([&] { q.push(2); });
//       a.join();
//       b.join();
//       EXPECT_EQ(q.size(), 2);
//     });
//   }
//
// The program is built with -fsanitize=atomicity -fatomicity-schedule; without
// the first, the function is called once. An exception that leaves the function
// is a finding, and thrown on when its schedule has been written; so is a
// failed expectation of GoogleTest, if its header comes before this one.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_EXPLORE_HPP
#define ATSAN_EXPLORE_HPP

#include <exception>
#include <sanitizer/atsan_explore.h>

namespace atsan {

struct explore_options : __atsan_explore_options {
  explore_options() : __atsan_explore_options() {}
};

namespace detail {

#if defined(GTEST_INCLUDE_GTEST_GTEST_H_) ||                                   \
    defined(GOOGLETEST_INCLUDE_GTEST_GTEST_H_)
inline int failures() {
  const ::testing::TestInfo *test =
      ::testing::UnitTest::GetInstance()->current_test_info();
  int count = 0;
  for (int i = 0; test && i < test->result()->total_part_count(); i++)
    count += test->result()->GetTestPartResult(i).failed();
  return count;
}
#else
inline int failures() { return 0; }
#endif

template <class Function> struct exploration {
  Function *function;
  std::exception_ptr error;

  static void run(void *argument) {
    auto *self = static_cast<exploration *>(argument);
    const int before = failures();
#if defined(__cpp_exceptions)
    self->error = nullptr;
    try {
      (*self->function)();
    } catch (...) {
      self->error = std::current_exception();
      __atsan_explore_failed();
    }
#else
    (*self->function)();
#endif
    if (failures() != before)
      __atsan_explore_failed();
  }
};

} // namespace detail

/// Calls the function by one schedule after the other, until one shows a bug.
/// Throws what the function has thrown. Returns how many findings there were: 0
/// or 1, where a finding does not end the program.
template <class Function>
int explore(Function function,
            const explore_options &options = explore_options()) {
  detail::exploration<Function> call = {&function, nullptr};
  const int found =
      __atsan_explore(&detail::exploration<Function>::run, &call, &options);
  if (call.error)
    std::rethrow_exception(call.error);
  return found;
}

} // namespace atsan

#endif // ATSAN_EXPLORE_HPP
