//===-- sanitizer/atsan_linearizable_calls.hpp ------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on an object under test, with generators of their arguments; a
// call of one, with what it has returned; values as text. A part of
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
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace atsan {

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

namespace detail {

// --- Values as text. ---------------------------------------------------------

template <class T, class = void> struct is_streamed : std::false_type {};
template <class T>
struct is_streamed<T, std::void_t<decltype(std::declval<std::ostream &>()
                                           << std::declval<const T &>())>>
    : std::true_type {};
template <class T, class = void> struct is_optional : std::false_type {};
template <class T>
struct is_optional<T,
                   std::void_t<decltype(std::declval<const T &>().has_value(),
                                        *std::declval<const T &>())>>
    : std::true_type {};
template <class T, class = void> struct is_pair : std::false_type {};
template <class T>
struct is_pair<T, std::void_t<decltype(std::declval<const T &>().first,
                                       std::declval<const T &>().second)>>
    : std::true_type {};
template <class T, class = void> struct is_range : std::false_type {};
template <class T>
struct is_range<T, std::void_t<decltype(std::declval<const T &>().begin() !=
                                        std::declval<const T &>().end())>>
    : std::true_type {};

template <class T> std::string show(const T &value) {
  std::ostringstream out;
  if constexpr (std::is_same<T, std::monostate>::value)
    ;
  else if constexpr (std::is_same<T, bool>::value)
    out << (value ? "true" : "false");
  else if constexpr (is_optional<T>::value)
    out << (value.has_value() ? show(*value) : "nothing");
  else if constexpr (is_streamed<T>::value)
    out << value;
  else if constexpr (std::is_enum<T>::value)
    out << static_cast<long long>(value);
  else if constexpr (is_pair<T>::value)
    out << '(' << show(value.first) << ", " << show(value.second) << ')';
  else if constexpr (is_range<T>::value) {
    out << '[';
    const char *comma = "";
    for (const auto &item : value) {
      out << comma << show(item);
      comma = ", ";
    }
    out << ']';
  } else
    out << '?';
  return out.str();
}

// --- Operations. -------------------------------------------------------------

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

template <class Function, class Object, class Values>
auto outcome_of(const Function &function, Object &object,
                const Values &values) {
  const auto call = [&](const auto &...value) -> decltype(auto) {
    return function(object, value...);
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

template <class Result> std::string show_outcome(const Result &returned) {
  return returned ? show(*returned) : "an exception";
}

// --- Calls. ------------------------------------------------------------------

// A call on an object, whatever its class.
class test_call : public observed {
public:
  virtual void run(void *object) = 0;
  virtual std::string text() const = 0;   // "push(1)".
  virtual std::string result() const = 0; // "2"; empty: it returns nothing.
};

template <class Object, class Sequential, class Operation, class Values>
class call_of final : public test_call {
public:
  call_of(const Operation &what, Values values)
      : what(what), values(std::move(values)) {}

  void run(void *object) override {
    found = outcome_of(what.work, *static_cast<Object *>(object), values);
  }
  bool fits(state &on) const override {
    const auto wanted = outcome_of(what.model, model(on), values);
    if (!found || !wanted)
      return !found && !wanted;
    return *found == *wanted;
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
  std::string text() const override {
    std::string out = what.name + '(';
    std::apply(
        [&](const auto &...value) {
          const char *comma = "";
          ((out += comma + show(value), comma = ", "), ...);
        },
        values);
    return out + ')';
  }
  std::string result() const override { return show_outcome(found); }

private:
  static Sequential &model(state &on) {
    return static_cast<state_of<Sequential> &>(on).object;
  }

  const Operation &what;
  const Values values;
  decltype(outcome_of(std::declval<const Operation &>().work,
                      std::declval<Object &>(),
                      std::declval<const Values &>())) found;
};

// An operation on an object, whatever its class.
class any_operation {
public:
  virtual ~any_operation() = default;
  virtual std::unique_ptr<test_call>
  make(const std::vector<unsigned> &numbers) const = 0;

  operation_shape shape;
};

template <class Object, class Sequential, class Operation>
class operation_on final : public any_operation {
public:
  explicit operation_on(const Operation &given) : of(given) {
    shape = {of.name, {}, of.thread};
    std::apply(
        [&](const auto &...each) { (shape.counts.push_back(each.count), ...); },
        of.arguments);
  }
  std::unique_ptr<test_call>
  make(const std::vector<unsigned> &numbers) const override {
    return make(of.arguments, numbers);
  }

private:
  template <class... Arguments>
  std::unique_ptr<test_call>
  make(const std::tuple<generator<Arguments>...> &arguments,
       const std::vector<unsigned> &numbers) const {
    using values = std::tuple<Arguments...>;
    size_t i = 0;
    return std::apply(
        [&](const auto &...each) {
          // Braces, since arguments in them are made in their order.
          return std::make_unique<
              call_of<Object, Sequential, Operation, values>>(
              of, values{each.make(numbers[i++])...});
        },
        arguments);
  }

  const Operation of;
};

template <class Parts, size_t... I>
auto operation_from(std::string name, const Parts &parts,
                    std::index_sequence<I...>) {
  constexpr size_t last = std::tuple_size<Parts>::value - 1;
  const auto &work = std::get<sizeof...(I)>(parts);
  const auto &model = std::get<last>(parts);
  auto arguments = std::make_tuple(std::get<I>(parts)...);
  return operation_of<std::decay_t<decltype(work)>,
                      std::decay_t<decltype(model)>,
                      typename std::tuple_element_t<I, Parts>::type...>{
      std::move(name), work, model, std::move(arguments)};
}

} // namespace detail

/// An operation: its name, a generator for each argument, then a function
/// `work(object, arguments...)` that does it on an object of either class and
/// returns what can be compared; or two functions, the second one for the
/// sequential object. They are called by several threads at a time, and must
/// not change what they have captured.
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

} // namespace atsan

#endif // ATSAN_LINEARIZABLE_CALLS_HPP
