//===-- sanitizer/atsan_linearizable_table.hpp ------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the calls of a test have returned, as a table with a column for each
// thread, in the order of time. A part of <sanitizer/atsan_linearizable.hpp>.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LINEARIZABLE_TABLE_HPP
#define ATSAN_LINEARIZABLE_TABLE_HPP

#include <algorithm>
#include <cstdlib>
#include <sanitizer/atsan_linearizable_orders.hpp>
#include <sanitizer/atsan_linearizable_run.hpp>
#include <string>
#include <utility>
#include <vector>
#if __has_include(<cxxabi.h>) && defined(__cpp_rtti)
#include <cxxabi.h>
#include <typeinfo>
#endif

namespace atsan {
namespace detail {
inline namespace unscheduled {

// "Stack<int>", as far as it is known.
template <class T> std::string type_name() {
#if __has_include(<cxxabi.h>) && defined(__cpp_rtti)
  int status = 0;
  char *name = abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, &status);
  const std::string out = status == 0 ? name : typeid(T).name();
  std::free(name);
  return out;
#else
  return "object";
#endif
}

struct table_row {
  stamp when;
  size_t column;
  std::string text;
};

// A call during which others are called or return has two rows; so has one that
// does not return.
inline std::vector<table_row> rows_of(const test &of) {
  std::vector<table_row> out;
  const observed_calls all = of.all();
  const auto end_of = [](const observed *call) {
    return call->returned ? call->returned : ~stamp(0);
  };
  for (size_t i = 0; i < of.parts.size(); i++)
    for (const auto &call : of.parts[i]) {
      if (!call->called)
        continue;
      const size_t column = i > 1 && i + 1 < of.parts.size() ? i - 1 : 0;
      const std::string whole = call->returned
                                    ? of.text_of(call.get())
                                    : call->text() + " does not return";
      bool is_alone = call->returned;
      for (const observed *other : all)
        is_alone &= other == call.get() || !other->called ||
                    other->called > call->returned ||
                    end_of(other) < call->called;
      if (!is_alone)
        out.push_back({call->called, column, call->text() + " .."});
      out.push_back(
          {end_of(call.get()), column, (is_alone ? "" : ".. ") + whole});
    }
  for (size_t i = 1; i < out.size(); i++)
    for (size_t j = i; j && out[j].when < out[j - 1].when; j--)
      std::swap(out[j], out[j - 1]);
  return out;
}

inline std::string table_of(const test &of) {
  std::vector<table_row> rows = rows_of(of);
  for (size_t i = of.parts.size() - 2; i > 0; i--)
    if (i == 1 || !of.parts[i].empty())
      rows.insert(rows.begin(), {0, i - 1, "thread " + std::to_string(i)});
  std::vector<size_t> widths(of.parts.size());
  for (const table_row &row : rows)
    widths[row.column] = std::max(widths[row.column], row.text.size() + 3);
  std::string out, line;
  stamp last = ~stamp(0);
  for (const table_row &row : rows) {
    if (row.when != last || row.when) {
      out += line.empty() ? "" : line + '\n';
      line.clear();
    }
    last = row.when;
    size_t at = 4;
    for (size_t i = 0; i < row.column; i++)
      at += widths[i];
    line.resize(at, ' ');
    line += row.text;
  }
  return out + line + '\n';
}

inline const char *tell_it(void *self) {
  static std::string kept;
  kept = table_of(*static_cast<test *>(self));
  return kept.c_str();
}

} // namespace unscheduled
} // namespace detail
} // namespace atsan

#endif // ATSAN_LINEARIZABLE_TABLE_HPP
