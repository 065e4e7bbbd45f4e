//===-- sanitizer/atsan_linearizable.hpp ------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests whether an object with operations of any kind is linearizable (Herlihy
// and Wing, 1990): whether concurrent calls return what a sequential object
// returns in some order that respects which call had returned before which.
//
//   TEST(Queue, IsLinearizable) {
//     atsan::linearizable<LockFreeQueue, std::deque<int>>(
//         atsan::op("push", atsan::fresh(),
//                   [](auto &q, int v) { q.push_back(v); }),
//         atsan::op("pop", [](auto &q) { return q.pop(); },
//                   [](auto &q) { return pop_front(q); }));
//   }
//
// Small tests are made by chance: some calls, then threads with some calls
// each, then some calls. Each is run by many schedules of its threads, as by
// atsan::explore, and what the calls have returned is compared with all orders.
// A failure is made smaller (fewest threads, calls, switches), and reported
// with a table of what happened; its schedule is a file that replays it.
// docs/registers.md says what is promised.
//
// The program is built as C++17 with -fsanitize=atomicity -fatomicity-schedule.
// Without the first, threads run as the machine lets them, and a failure is
// printed, and ends the program with exit code 66.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LINEARIZABLE_HPP
#define ATSAN_LINEARIZABLE_HPP

#if defined(__cplusplus) && __cplusplus < 201703L
#error "<sanitizer/atsan_linearizable.hpp> needs C++17; add -std=c++17"
#endif

#include <chrono>
#include <cstring>
#include <sanitizer/atsan_linearizable_calls.hpp>
#include <sanitizer/atsan_linearizable_orders.hpp>
#include <sanitizer/atsan_linearizable_plan.hpp>
#include <sanitizer/atsan_linearizable_run.hpp>
#include <sanitizer/atsan_linearizable_table.hpp>

namespace atsan {
inline namespace unscheduled {

/// How much is tried. The same seed makes the same tests.
struct linearizable_options {
  std::string name;         ///< What reports call the object; empty: its class.
  unsigned tests = 400;     ///< How many tests are made.
  unsigned schedules = 100; ///< How many schedules each of them is run by.
  unsigned threads = 3;     ///< Most threads of a test, 2 or more.
  unsigned calls = 4;       ///< Most calls of a thread, 1 to 8.
  double seconds = 0;       ///< No new test after so long; 0: no limit.
  unsigned long seed = 1;
  /// A strategy of atsan::explore. Null: of some tests all schedules with one
  /// preemption (as far as `schedules` goes), of others some by pct and by
  /// surw.
  const char *strategy = nullptr;
};

} // namespace unscheduled

namespace detail {
inline namespace unscheduled {

class tester {
public:
  tester(const linearizable_options &options, const tested_object &object,
         const std::vector<const any_operation *> &operations)
      : options(options), object(object), operations(operations) {
    for (const any_operation *each : operations)
      shapes.push_back(each->shape);
  }

  // How many findings there were, 0 or 1; -1: the options are wrong.
  int run() {
    check_options();
    const char *replayed;
    switch (tests_begin(&replayed)) {
    case test_mode::skipped:
      return 0;
    case test_mode::replayed:
      return replay(replayed);
    default:
      return search();
    }
  }

private:
  // Ends the program: a test that cannot be made must not pass.
  [[noreturn]] void refuse(const std::string &message) const {
    std::fprintf(stderr, "ERROR: AtomicitySanitizer: linearizable: '%s': %s\n",
                 options.name.c_str(), message.c_str());
    std::exit(2);
  }

  void check_options() const {
    constexpr unsigned most_calls = 8;
    if (!options.tests || !options.schedules)
      refuse("nothing would be checked: `tests` and `schedules` are 1 or more");
    if (options.threads < 2)
      refuse("`threads` is 2 or more");
    if (!options.calls || options.calls > most_calls)
      refuse("`calls` is 1 to 8");
    for (const operation_shape &shape : shapes)
      if (shape.thread > options.threads)
        refuse("no test has the thread that by_thread(" +
               std::to_string(shape.thread) + ") names, of '" + shape.name +
               "'; raise `threads`, which is " +
               std::to_string(options.threads));
  }

  std::unique_ptr<test> make(const plan &of) const {
    auto out = std::make_unique<test>(object);
    for (const std::vector<planned_call> &part : of.parts) {
      out->parts.emplace_back();
      for (const planned_call &planned : part)
        out->parts.back().push_back(
            operations[planned.operation]->make(planned.numbers));
    }
    return out;
  }

  // --- The search. ---

  test_outcome explore(const plan &of, unsigned schedules,
                       const char *strategy) {
    current = make(of);
    current_name = write_plan(of, shapes);
    __atsan_explore_options how = {};
    how.strategy = strategy;
    how.runs = schedules;
    how.seed = options.seed;
    if (!std::strcmp(strategy, "systematic"))
      how.preemptions_1 = 1 + 1;
    return test_try(*current, current_name, how);
  }

  // Most mistakes show with one preemption in the right place, which random
  // schedules rarely have; some need more.
  const char *strategy_of(unsigned number) const {
    static const char *const usual[] = {"pct", "surw"};
    return options.strategy ? options.strategy
           : number % 4 < 3 ? "systematic"
                            : usual[number / 4 % 2];
  }

  int search() {
    random_numbers random(options.seed);
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < options.tests; i++) {
      const std::chrono::duration<double> spent =
          std::chrono::steady_clock::now() - begin;
      if (options.seconds > 0 && spent.count() > options.seconds)
        return 0;
      // Small tests come first; most have two threads.
      const bool is_small = i < options.tests / 8;
      const unsigned most = is_small ? 2 : options.calls;
      const unsigned more = is_small || i % 8 ? 1 : options.threads - 1;
      const plan tried =
          planner(shapes, random).make(2 + random.below(more), most);
      const test_outcome outcome =
          explore(tried, options.schedules, strategy_of(i));
      if (outcome == test_outcome::wrong)
        return -1;
      if (outcome != test_outcome::passed)
        return tell(tried, outcome, strategy_of(i));
    }
    return 0;
  }

  // Makes a failure small, and reports it.
  int tell(const plan &failed, test_outcome outcome, const char *strategy) {
    plan smallest = failed;
    if (outcome == test_outcome::failed && tests_are_searched())
      smallest = smallest_plan(failed, [&](const plan &smaller) {
        return explore(smaller, options.schedules, strategy) ==
               test_outcome::failed;
      });
    if (tests_are_searched()) {
      current = make(smallest);
      current_name = write_plan(smallest, shapes);
      test_keep(*current, current_name, outcome);
    }
    if (outcome == test_outcome::failed)
      report();
    return 1;
  }

  int replay(const char *name) {
    plan of;
    if (!read_plan(name, shapes, of))
      refuse("the schedule is of the test '" + std::string(name) +
             "', which is none of these operations; make it anew");
    if (explore(of, 1, "surw") != test_outcome::failed)
      return 0;
    report();
    return 1;
  }

  void report() const {
    const std::unique_ptr<state> initial = object.make_model();
    const observed_calls all = current->all();
    const std::string &name = options.name;
    const verdict is = decide(all, *initial);
    if (is == verdict::explained) {
      test_report("the object '" + name +
                      "' does not do the same each time by "
                      "the same schedule; it was not linearizable once",
                  "");
      return;
    }
    if (is == verdict::wrong_keys)
      refuse("operations on different keys are not independent of each other "
             "in the sequential object; leave out by_key()");
    const observed *bad = first_unexplained(all, *initial);
    test_report("linearizability violation: '" + name + "': '" +
                    current->text_of(bad) +
                    "' fits into no order of the operations" +
                    possible(all, bad, *initial),
                table_of(*current));
  }

  // ", where it returns 1, or 2": what would have been right.
  static std::string possible(const observed_calls &all, const observed *bad,
                              const state &initial) {
    const observed_calls begun = begun_before_return(all, bad);
    std::string out;
    for (const std::string &result :
         orders(begun, initial, bad->returned - 1).results_of(bad))
      out += (out.empty() ? ", where it returns " : ", or ") + result;
    return out;
  }

  const linearizable_options &options;
  const tested_object &object;
  const std::vector<const any_operation *> &operations;
  std::vector<operation_shape> shapes;
  std::unique_ptr<test> current;
  std::string current_name;
};

template <class... Operations, size_t... I>
int run_tester(const linearizable_options &options, const tested_object &object,
               const std::tuple<Operations...> &operations,
               std::index_sequence<I...>) {
  return tester(options, object, {&std::get<I>(operations)...}).run();
}

} // namespace unscheduled
} // namespace detail

inline namespace unscheduled {

/// Tests the object, of a class with a default constructor, against Sequential:
/// a class with a default constructor that can be copied; if it has an operator
/// ==, that tells states apart that behave differently. Operations are made by
/// atsan::op; each returns by itself, whatever other threads do. Returns how
/// many findings there were: 0 or 1, where a finding does not end the program;
/// -1 if the strategy is none. What cannot be tested ends the program with a
/// message and exit code 2. Not to be called by several threads at a time.
template <class Object, class Sequential, class... Operations>
int linearizable(linearizable_options options, Operations... operations) {
  static_assert(std::is_default_constructible<Object>::value &&
                    std::is_default_constructible<Sequential>::value,
                "each test begins with a new object of either class: derive a "
                "class whose default constructor says how they are made");
  static_assert(std::is_copy_constructible<Sequential>::value,
                "the sequential object is copied, to try other orders");
  if (options.name.empty())
    options.name = detail::type_name<Object>();
  const detail::tested_object_of<Object, Sequential> object;
  const std::tuple<detail::operation_on<Object, Sequential, Operations>...> all(
      operations...);
  return detail::run_tester(options, object, all,
                            std::index_sequence_for<Operations...>());
}

/// Tests the object with the usual options.
template <class Object, class Sequential, class Work, class Model,
          class... Arguments, class... Operations>
int linearizable(detail::operation_of<Work, Model, Arguments...> first,
                 Operations... operations) {
  return linearizable<Object, Sequential>(
      linearizable_options(), std::move(first), std::move(operations)...);
}

} // namespace unscheduled
} // namespace atsan

#endif // ATSAN_LINEARIZABLE_HPP
