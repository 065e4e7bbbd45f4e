//===-- sanitizer/atsan_linearizable_values.hpp -----------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of arguments and results: as text, and whether those of two objects
// are the same. A part of <sanitizer/atsan_linearizable.hpp>.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LINEARIZABLE_VALUES_HPP
#define ATSAN_LINEARIZABLE_VALUES_HPP

#include <cstddef>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace atsan {
namespace detail {
inline namespace unscheduled {

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
template <class T> struct is_tuple : std::false_type {};
template <class... T> struct is_tuple<std::tuple<T...>> : std::true_type {};
template <class T> struct is_owner : std::false_type {};
template <class T, class D>
struct is_owner<std::unique_ptr<T, D>> : std::true_type {};
template <class T> struct is_owner<std::shared_ptr<T>> : std::true_type {};
template <class T>
struct is_text : std::is_convertible<const T &, std::string_view> {};
template <class A, class B, class = void>
struct is_comparable : std::false_type {};
template <class A, class B>
struct is_comparable<A, B,
                     std::void_t<decltype(bool(std::declval<const A &>() ==
                                               std::declval<const B &>()))>>
    : std::true_type {};

// In quotes, so that an empty one, or one with blanks, is seen.
inline std::string show_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char code[8];
    if (byte < ' ' || byte == 0x7f) {
      std::snprintf(code, sizeof code, "\\x%02x", byte);
      out += code;
      continue;
    }
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + '"';
}

template <class T> std::string show(const T &value);

template <class Range> std::string show_range(const Range &range) {
  std::string out = "[";
  const char *comma = "";
  for (const auto &item : range) {
    out += comma + show(item);
    comma = ", ";
  }
  return out + ']';
}

template <class... T> std::string show_tuple(const std::tuple<T...> &value) {
  std::string out = "(";
  std::apply(
      [&](const auto &...each) {
        [[maybe_unused]] const char *comma = "";
        ((out += comma + show(each), comma = ", "), ...);
      },
      value);
  return out + ')';
}

// Streams are the last resort: they make a small test slow to compile.
template <class T> std::string show(const T &value) {
  if constexpr (std::is_same<T, std::monostate>::value) {
    return std::string();
  } else if constexpr (std::is_same<T, bool>::value) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same<T, char>::value) {
    return show_text(std::string_view(&value, 1));
  } else if constexpr (std::is_integral<T>::value) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point<T>::value) {
    char out[64];
    std::snprintf(out, sizeof out, "%.12Lg", static_cast<long double>(value));
    return out;
  } else if constexpr (is_text<T>::value) {
    return show_text(value);
  } else if constexpr (is_owner<T>::value) {
    return value ? show(*value) : "null";
  } else if constexpr (is_optional<T>::value) {
    return value.has_value() ? show(*value) : "nothing";
  } else if constexpr (is_streamed<T>::value) {
    std::ostringstream out;
    out << value;
    return out.str();
  } else if constexpr (std::is_enum<T>::value) {
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (is_pair<T>::value) {
    return '(' + show(value.first) + ", " + show(value.second) + ')';
  } else if constexpr (is_tuple<T>::value) {
    return show_tuple(value);
  } else if constexpr (is_range<T>::value) {
    return show_range(value);
  } else {
    return "(a value without operator <<)";
  }
}

// Whether results of two objects are the same: pointers that own something are
// compared by what they own, all else by ==.
template <class A, class B> bool is_same_value(const A &a, const B &b) {
  if constexpr (is_owner<A>::value && is_owner<B>::value) {
    return bool(a) == bool(b) && (!a || is_same_value(*a, *b));
  } else if constexpr (is_optional<A>::value && is_optional<B>::value) {
    return a.has_value() == b.has_value() &&
           (!a.has_value() || is_same_value(*a, *b));
  } else if constexpr (is_pair<A>::value && is_pair<B>::value) {
    return is_same_value(a.first, b.first) && is_same_value(a.second, b.second);
  } else if constexpr (std::is_same<A, const char *>::value &&
                       std::is_same<B, const char *>::value) {
    return a && b ? std::string_view(a) == b : a == b;
  } else if constexpr (std::is_integral<A>::value &&
                       std::is_integral<B>::value) {
    using both = std::common_type_t<A, B>;
    return static_cast<both>(a) == static_cast<both>(b);
  } else {
    static_assert(is_comparable<A, B>::value,
                  "what an operation returns on the object is compared with "
                  "what it returns on the sequential one; give its type an "
                  "operator ==, or return something else");
    return a == b;
  }
}

} // namespace unscheduled
} // namespace detail
} // namespace atsan

#endif // ATSAN_LINEARIZABLE_VALUES_HPP
