//===-- sanitizer/atsan_linearizable_calls.hpp ------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on an object under test, with generators of their arguments; a
// call of one, with what it has returned. A part of
// <sanitizer/atsan_linearizable.hpp>.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LINEARIZABLE_CALLS_HPP
#define ATSAN_LINEARIZABLE_CALLS_HPP

#include <functional>
#include <memory>
#include <optional>
#include <sanitizer/atsan_linearizable_orders.hpp>
#include <sanitizer/atsan_linearizable_plan.hpp>
#include <sanitizer/atsan_linearizable_values.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace atsan {
inline namespace unscheduled {

/// Makes values of an argument. Values have numbers; the same number makes the
/// same value.
template <class T> struct generator {
  using type = T;
  std::function<T(unsigned number)> make;
  /// How many numbers there are, from 0 on; 0: any, and each is taken once in a
  /// test.
  unsigned count;
};

/// One of these values. (Of string literals, make std::string.)
template <class T, class... More> generator<T> one_of(T first, More... more) {
  std::vector<T> all = {first, T(more)...};
  const unsigned count = static_cast<unsigned>(all.size());
  return {[all](unsigned number) { return all[number]; }, count};
}

/// 1, 2, 3, ...: another number for each call in a test.
inline generator<int> fresh() {
  return {[](unsigned number) { return static_cast<int>(number) + 1; }, 0};
}

} // namespace unscheduled

namespace detail {
inline namespace unscheduled {

template <class T> struct is_generator : std::false_type {};
template <class T> struct is_generator<generator<T>> : std::true_type {};

template <class Work, class Model, class... Arguments> struct operation_of {
  /// Operations on different values of the first argument have nothing to do
  /// with each other: histories are decided for each value, if all their
  /// operations say so.
  operation_of by_key() const {
    static_assert(sizeof...(Arguments) > 0, "the key is the first argument");
    operation_of keyed = *this;
    keyed.has_key = true;
    return keyed;
  }
  /// Only this one of the threads of a test calls it; the first is 1. Before
  /// there are threads, and behind them, it is called as all others.
  operation_of by_thread(unsigned number) const {
    operation_of limited = *this;
    limited.thread = number;
    return limited;
  }

  std::string name;
  Work work;   // On the object.
  Model model; // On the sequential one.
  std::tuple<generator<Arguments>...> arguments;
  bool has_key = false;
  unsigned thread = 0;
};

// What a function has returned: a value, or nothing; or else it has thrown.
template <class Result>
using outcome =
    std::optional<std::conditional_t<std::is_void<Result>::value,
                                     std::monostate, std::decay_t<Result>>>;

template <class Result> std::string show_outcome(const Result &returned) {
  return returned ? show(*returned) : "an exception";
}

} // namespace unscheduled

// This runs by a schedule, all else of this file does not.
template <class Function, class Object, class Values>
auto outcome_of(const Function &function, Object &object,
                const Values &values) {
  const auto call = [&](const auto &...value) -> decltype(auto) {
    return std::invoke(function, object, value...);
  };
  using result = decltype(std::apply(call, values));
  outcome<result> out;
#if defined(__cpp_exceptions)
  try {
#endif
    if constexpr (std::is_void<result>::value) {
      std::apply(call, values);
      out.emplace();
    } else {
      out.emplace(std::apply(call, values));
    }
#if defined(__cpp_exceptions)
  } catch (...) {
  }
#endif
  return out;
}

// --- Calls. ------------------------------------------------------------------

// A call on an object, whatever its class.
class test_call : public observed {
public:
  virtual void run(void *object) = 0;
  virtual std::string text() const = 0;   // "push(1)".
  virtual std::string result() const = 0; // "2"; empty: it returns nothing.
};

template <class Object, class Operation, class Values>
class running_call : public test_call {
public:
  running_call(const Operation &what, Values values)
      : what(what), values(std::move(values)) {}

  void run(void *object) final {
    found = outcome_of(what.work, *static_cast<Object *>(object), values);
  }

protected:
  const Operation &what;
  const Values values;
  decltype(outcome_of(std::declval<const Operation &>().work,
                      std::declval<Object &>(),
                      std::declval<const Values &>())) found;
};

inline namespace unscheduled {

template <class Object, class Sequential, class Operation, class Values>
class call_of final : public running_call<Object, Operation, Values> {
public:
  using running_call<Object, Operation, Values>::running_call;

  bool fits(state &on) const override {
    const auto wanted = outcome_of(what.model, model(on), values);
    if (!found || !wanted)
      return !found && !wanted;
    return is_same_value(*found, *wanted);
  }
  std::string returns(state &on) const override {
    return show_outcome(outcome_of(what.model, model(on), values));
  }
  std::string key() const override {
    if constexpr (std::tuple_size<Values>::value > 0)
      if (what.has_key)
        return '=' + show(std::get<0>(values));
    return std::string();
  }
  std::string text() const override { return what.name + show_tuple(values); }
  std::string result() const override { return show_outcome(found); }

private:
  using base = running_call<Object, Operation, Values>;
  using base::found;
  using base::values;
  using base::what;

  static Sequential &model(state &on) {
    return static_cast<state_of<Sequential> &>(on).object;
  }
};

// An operation on an object, whatever its class.
class any_operation {
public:
  virtual ~any_operation() = default;
  virtual std::unique_ptr<test_call>
  make(const std::vector<unsigned> &numbers) const = 0;

  operation_shape shape;
};

template <class Function, class Object, class Generators>
struct can_call : std::false_type {};
template <class Function, class Object, class... Arguments>
struct can_call<Function, Object, std::tuple<generator<Arguments>...>>
    : std::is_invocable<const Function &, Object &, const Arguments &...> {};

template <class Object, class Sequential, class Operation>
class operation_on final : public any_operation {
  static_assert(can_call<decltype(Operation::work), Object,
                         decltype(Operation::arguments)>::value,
                "the function of an operation takes the object, and a value "
                "for each generator before it; it is not mutable");
  static_assert(can_call<decltype(Operation::model), Sequential,
                         decltype(Operation::arguments)>::value,
                "the function for the sequential object takes that object, and "
                "a value for each generator; it is not mutable");

public:
  explicit operation_on(const Operation &given) : of(given) {
    shape = {of.name, {}, of.thread};
    std::apply(
        [&](const auto &...each) { (shape.counts.push_back(each.count), ...); },
        of.arguments);
  }
  std::unique_ptr<test_call>
  make(const std::vector<unsigned> &numbers) const override {
    constexpr size_t count =
        std::tuple_size<decltype(Operation::arguments)>::value;
    return make(of.arguments, numbers, std::make_index_sequence<count>());
  }

private:
  template <class... Arguments, size_t... I>
  std::unique_ptr<test_call>
  make(const std::tuple<generator<Arguments>...> &arguments,
       const std::vector<unsigned> &numbers, std::index_sequence<I...>) const {
    using values = std::tuple<Arguments...>;
    return std::make_unique<call_of<Object, Sequential, Operation, values>>(
        of, values{std::get<I>(arguments).make(numbers[I])...});
  }

  const Operation of;
};

template <class Parts, size_t... I>
auto operation_from(std::string name, const Parts &parts,
                    std::index_sequence<I...>) {
  constexpr size_t last = std::tuple_size<Parts>::value - 1;
  static_assert((std::is_copy_constructible<
                     typename std::tuple_element_t<I, Parts>::type>::value &&
                 ...),
                "an argument can be copied; let the function make one that "
                "cannot, of a number");
  const auto &work = std::get<sizeof...(I)>(parts);
  const auto &model = std::get<last>(parts);
  auto arguments = std::make_tuple(std::get<I>(parts)...);
  return operation_of<std::decay_t<decltype(work)>,
                      std::decay_t<decltype(model)>,
                      typename std::tuple_element_t<I, Parts>::type...>{
      std::move(name), work, model, std::move(arguments)};
}

} // namespace unscheduled
} // namespace detail

inline namespace unscheduled {

/// An operation: its name, a generator for each argument, then a function
/// `work(object, arguments...)`, or a member function, that does it on an
/// object of either class and returns what can be compared; or two functions,
/// the second one for the sequential object. They are called by several threads
/// at a time, and must not change what they have captured. What they return is
/// still there when the object is not.
template <class... Parts> auto op(std::string name, Parts... parts) {
  constexpr size_t generators =
      (size_t(0) + ... + detail::is_generator<Parts>::value);
  static_assert(sizeof...(Parts) - generators == 1 ||
                    sizeof...(Parts) - generators == 2,
                "behind the generators there are one or two functions");
  return detail::operation_from(std::move(name),
                                std::make_tuple(std::move(parts)...),
                                std::make_index_sequence<generators>());
}

} // namespace unscheduled
} // namespace atsan

#endif // ATSAN_LINEARIZABLE_CALLS_HPP
