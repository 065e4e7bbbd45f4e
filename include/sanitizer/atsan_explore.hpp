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
// failed expectation of GoogleTest or doctest, and of Catch2 a REQUIRE or the
// last CHECK, if the header of the framework comes before this one.
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
inline void begin_expectations() {}
#elif defined(DOCTEST_LIBRARY_INCLUDED)
// Failed expectations of the program so far.
inline int &failure_count() {
  static int count;
  return count;
}
inline int failures() { return failure_count(); }
inline void begin_expectations() {}

struct failure_counter : doctest::IReporter {
  explicit failure_counter(const doctest::ContextOptions &) {}
  void log_assert(const doctest::AssertData &data) override {
    failure_count() +=
        data.m_failed && !(data.m_at & doctest::assertType::is_warn);
  }
  void report_query(const doctest::QueryData &) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats &) override {}
  void test_case_start(const doctest::TestCaseData &) override {}
  void test_case_reenter(const doctest::TestCaseData &) override {}
  void test_case_end(const doctest::CurrentTestCaseStats &) override {}
  void test_case_exception(const doctest::TestCaseException &) override {}
  void subcase_start(const doctest::SubcaseSignature &) override {}
  void subcase_end() override {}
  void log_message(const doctest::MessageData &) override {}
  void test_case_skipped(const doctest::TestCaseData &) override {}
};
// Each file of the program registers it, which counts once.
static const int failure_counter_is_there =
    doctest::registerReporter<failure_counter>("atsan", 0, false);
#elif defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED) ||               \
    defined(CATCH_TEST_MACROS_HPP_INCLUDED)
// Catch2 tells of the last expectation only; one that holds comes first.
inline int failures() {
  return !Catch::getResultCapture().lastAssertionPassed();
}
inline void begin_expectations() {
  INTERNAL_CATCH_TEST("CHECK", Catch::ResultDisposition::ContinueOnFailure,
                      true);
}
#else
inline int failures() { return 0; }
inline void begin_expectations() {}
#endif

template <class Function> struct exploration {
  Function *function;
  std::exception_ptr error;

  static void run(void *argument) {
    auto *self = static_cast<exploration *>(argument);
    begin_expectations();
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
/// or 1, where a finding does not end the program; -1 if the options are wrong,
/// of which the program's exit code tells, too.
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
