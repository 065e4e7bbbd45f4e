//===-- sanitizer/atsan_linearizable_run.hpp --------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test of calls, which can be run again and again; and how it is run: by
// schedules of the runtime (sanitizer/atsan_explore.h), or without the runtime
// as the machine lets threads run. A part of
// <sanitizer/atsan_linearizable.hpp>.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LINEARIZABLE_RUN_HPP
#define ATSAN_LINEARIZABLE_RUN_HPP

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sanitizer/atsan_explore.h>
#include <sanitizer/atsan_linearizable_calls.hpp>
#include <sanitizer/atsan_linearizable_orders.hpp>
#include <string>
#include <thread>
#include <vector>

namespace atsan {
namespace detail {

enum class test_mode { skipped, searched, replayed, run_once };
enum class test_outcome { wrong = -1, passed, failed, reported };

#ifdef __SANITIZE_ATOMICITY__
inline stamp take_stamp() { return __atsan_test_stamp(); }
inline void wait_for_threads(std::atomic<unsigned> &) {}
#else
inline stamp take_stamp() {
  static std::atomic<stamp> last{0};
  return ++last;
}
// Threads take long to start, and calls are short: they begin together.
inline void wait_for_threads(std::atomic<unsigned> &missing) {
  --missing;
  while (missing)
    std::this_thread::yield();
}
#endif

// What makes objects of a class, and sequential ones.
class tested_object {
public:
  virtual ~tested_object() = default;
  virtual std::shared_ptr<void> make() const = 0;
  virtual std::unique_ptr<state> make_model() const = 0;
};

template <class Object, class Sequential>
class tested_object_of final : public tested_object {
public:
  std::shared_ptr<void> make() const override {
    return std::make_shared<Object>();
  }
  std::unique_ptr<state> make_model() const override {
    return std::make_unique<state_of<Sequential>>();
  }
};

// Parts are those of a plan.
class test {
public:
  using calls = std::vector<std::unique_ptr<test_call>>;

  explicit test(const tested_object &of) : of(of) {}

  std::vector<calls> parts;

  void run() const {
    for (const calls &part : parts)
      for (const std::unique_ptr<test_call> &each : part)
        each->called = each->returned = 0;
    const std::shared_ptr<void> object = of.make();
    run_part(object.get(), parts.front());
    const std::unique_ptr<std::thread[]> threads(new std::thread[parts.size()]);
    std::atomic<unsigned> missing{1};
    for (size_t i = 2; i + 1 < parts.size(); i++)
      missing += !parts[i].empty();
    for (size_t i = 2; i + 1 < parts.size(); i++)
      if (!parts[i].empty())
        threads[i] = std::thread([&, i] {
          wait_for_threads(missing);
          run_part(object.get(), parts[i]);
        });
    wait_for_threads(missing);
    run_part(object.get(), parts[1]);
    for (size_t i = 2; i + 1 < parts.size(); i++)
      if (!parts[i].empty())
        threads[i].join();
    run_part(object.get(), parts.back());
  }

  observed_calls all() const {
    observed_calls out;
    for (const calls &part : parts)
      for (const std::unique_ptr<test_call> &each : part)
        out.push_back(each.get());
    return out;
  }
  bool has_failed() const {
    return decide(all(), *of.make_model()) != verdict::explained;
  }
  // "pop() -> 1".
  std::string text_of(const observed *call) const {
    for (const calls &part : parts)
      for (const std::unique_ptr<test_call> &each : part)
        if (each.get() == call)
          return each->text() +
                 (each->result().empty() ? "" : " -> " + each->result());
    return std::string();
  }

  static void run_it(void *self) { static_cast<test *>(self)->run(); }

private:
  static void run_part(void *object, const calls &part) {
    for (const std::unique_ptr<test_call> &each : part) {
      each->called = take_stamp();
      each->run(object);
      each->returned = take_stamp();
    }
  }

  const tested_object &of;
};

#ifdef __SANITIZE_ATOMICITY__

inline namespace unscheduled {

inline int ask_it(void *self) {
  return static_cast<test *>(self)->has_failed();
}
const char *tell_it(void *self);

inline bool &searched() {
  static bool is = false;
  return is;
}
inline bool tests_are_searched() { return searched(); }

inline test_mode tests_begin(const char **name) {
  const auto mode =
      static_cast<test_mode>(__atsan_tests_begin(sizeof(__atsan_test), name));
  searched() = mode == test_mode::searched;
  return mode;
}
inline __atsan_test test_for_runtime(test &of, const std::string &name) {
  return {&test::run_it, &ask_it, &tell_it, &of, name.c_str()};
}
inline test_outcome test_try(test &of, const std::string &name,
                             const __atsan_explore_options &how) {
  const __atsan_test told = test_for_runtime(of, name);
  return static_cast<test_outcome>(__atsan_test_try(&told, &how));
}
inline void test_keep(test &of, const std::string &name, test_outcome outcome) {
  const __atsan_test told = test_for_runtime(of, name);
  __atsan_test_keep(&told, static_cast<int>(outcome));
}
inline void test_report(const std::string &message,
                        const std::string &history) {
  __atsan_test_report(message.c_str(), history.c_str());
}

} // namespace unscheduled

#else

inline bool tests_are_searched() { return false; }
inline test_mode tests_begin(const char **name) {
  *name = nullptr;
  return test_mode::searched;
}
inline test_outcome test_try(test &of, const std::string &,
                             const __atsan_explore_options &how) {
  for (unsigned long i = 0; i < how.runs; i++) {
    of.run();
    if (of.has_failed())
      return test_outcome::failed;
  }
  return test_outcome::passed;
}
inline void test_keep(test &, const std::string &, test_outcome) {}
inline void test_report(const std::string &message,
                        const std::string &history) {
  std::fprintf(stderr, "ERROR: AtomicitySanitizer: %s\n%s", message.c_str(),
               history.c_str());
  std::_Exit(66);
}

#endif // __SANITIZE_ATOMICITY__

} // namespace detail
} // namespace atsan

#endif // ATSAN_LINEARIZABLE_RUN_HPP
