//===-- sanitizer/atsan_linearizable_plan.hpp -------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small test as numbers: which operations are called before there are
// threads, by each thread, and when all have ended. Made by chance, written as
// a line, made smaller. A part of <sanitizer/atsan_linearizable.hpp>.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LINEARIZABLE_PLAN_HPP
#define ATSAN_LINEARIZABLE_PLAN_HPP

#include <cctype>
#include <string>
#include <utility>
#include <vector>

namespace atsan {
namespace detail {
inline namespace unscheduled {

// What a plan must know of an operation.
struct operation_shape {
  std::string name;
  std::vector<unsigned> counts; // How many values each argument has; 0: any.
  unsigned thread;              // The only one that calls it; 0: any.
};

struct planned_call {
  unsigned operation;
  std::vector<unsigned> numbers; // They name the arguments' values.
};

// Parts: the first is done before there are threads and the last behind them,
// by the thread that starts them; those between are threads, from 1 on, of
// which some may have no calls.
struct plan {
  std::vector<std::vector<planned_call>> parts;

  unsigned threads() const {
    unsigned count = 0;
    for (size_t i = 1; i + 1 < parts.size(); i++)
      count += !parts[i].empty();
    return count;
  }
};

// SplitMix64 (Steele, Lea and Flood, 2014): the same on every machine.
class random_numbers {
public:
  explicit random_numbers(unsigned long long seed) : state(seed) {}
  unsigned below(unsigned bound) {
    unsigned long long x = state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return static_cast<unsigned>((x ^ x >> 31) % bound);
  }

private:
  unsigned long long state;
};

// Makes plans of so many threads and calls for each of them, and up to three
// calls before and behind. Half of the parts have one operation only, the other
// half all of them: so more is reached than if all parts were alike (Swarm
// Testing, ISSTA 2012).
class planner {
public:
  planner(const std::vector<operation_shape> &shapes, random_numbers &random)
      : shapes(shapes), random(random) {}

  plan make(unsigned threads, unsigned most_calls) {
    plan out;
    out.parts.push_back(calls(random.below(4), 0));
    for (unsigned i = 1; i <= threads; i++)
      out.parts.push_back(calls(1 + random.below(most_calls), i));
    out.parts.push_back(calls(random.below(4), 0));
    return out;
  }

private:
  // Thread 0 may call everything.
  std::vector<planned_call> calls(unsigned count, unsigned thread) {
    std::vector<unsigned> possible;
    for (unsigned i = 0; i < shapes.size(); i++)
      if (!thread || !shapes[i].thread || shapes[i].thread == thread)
        possible.push_back(i);
    if (!possible.empty() && random.below(2))
      possible = {one_of(possible)};
    std::vector<planned_call> out;
    for (unsigned i = 0; i < count && !possible.empty(); i++) {
      planned_call call = {one_of(possible), {}};
      for (const unsigned values : shapes[call.operation].counts)
        call.numbers.push_back(values ? random.below(values) : next_fresh++);
      out.push_back(call);
    }
    return out;
  }
  unsigned one_of(const std::vector<unsigned> &all) {
    return all[random.below(static_cast<unsigned>(all.size()))];
  }

  const std::vector<operation_shape> &shapes;
  random_numbers &random;
  unsigned next_fresh = 0;
};

// --- As a line: "push.0 push.1 | pop | pop push.2 | -". ----------------------

inline std::string word_of(const std::string &name) {
  std::string out;
  for (const char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

inline std::string write_plan(const plan &of,
                              const std::vector<operation_shape> &shapes) {
  std::string out;
  for (const std::vector<planned_call> &part : of.parts) {
    out += out.empty() ? "" : " | ";
    if (part.empty())
      out += '-';
    for (const planned_call &call : part) {
      out += &call == &part.front() ? "" : " ";
      out += word_of(shapes[call.operation].name);
      for (const unsigned number : call.numbers)
        out += '.' + std::to_string(number);
    }
  }
  return out;
}

// The parts between separators; a separator at the end begins no part.
inline std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = text.find(separator, begin);
    end = end == std::string::npos ? text.size() : end;
    parts.push_back(text.substr(begin, end - begin));
  }
  return parts;
}

// False: there is no such operation, or no such value of an argument.
inline bool read_call(const std::string &text,
                      const std::vector<operation_shape> &shapes,
                      planned_call &out) {
  const std::vector<std::string> words = split(text, '.');
  out.operation = 0;
  while (out.operation < shapes.size() &&
         word_of(shapes[out.operation].name) != words.front())
    out.operation++;
  if (out.operation == shapes.size())
    return false;
  out.numbers.clear();
  for (size_t i = 1; i < words.size(); i++) {
    const std::string &word = words[i];
    if (word.empty() || word.size() > 9 ||
        word.find_first_not_of("0123456789") != std::string::npos)
      return false;
    out.numbers.push_back(static_cast<unsigned>(std::stoul(word)));
  }
  const std::vector<unsigned> &counts = shapes[out.operation].counts;
  if (out.numbers.size() != counts.size())
    return false;
  for (unsigned i = 0; i < counts.size(); i++)
    if (counts[i] && out.numbers[i] >= counts[i])
      return false;
  return true;
}

// Reads a line that write_plan has written; false: it is of other operations.
inline bool read_plan(const std::string &line,
                      const std::vector<operation_shape> &shapes, plan &out) {
  out.parts.assign(1, {});
  unsigned calls = 0;
  for (const std::string &word : split(line, ' ')) {
    planned_call call;
    if (word.empty())
      continue;
    if (word == "|")
      out.parts.emplace_back();
    else if (word != "-" && ++calls && read_call(word, shapes, call))
      out.parts.back().push_back(call);
    else if (word != "-")
      return false;
  }
  return out.parts.size() >= 3 && calls <= 64;
}

// --- Smaller plans. ----------------------------------------------------------

// Calls try_smaller(plan) with plans that have a thread less, then with those
// that have a call less, then with those where a call is made before there are
// threads, or behind them; goes on with the first of them for which it returns
// true, until there is none.
template <class Function> plan smallest_plan(plan from, Function try_smaller) {
  const auto without_thread = [](plan p, size_t part) {
    p.parts[part].clear();
    return p;
  };
  const auto without_call = [](plan p, size_t part, size_t call) {
    std::vector<planned_call> &calls = p.parts[part];
    calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(call));
    return p;
  };
  const auto with_first_before = [&](plan p, size_t part) {
    p.parts.front().push_back(p.parts[part].front());
    return without_call(std::move(p), part, 0);
  };
  const auto with_last_behind = [&](plan p, size_t part) {
    p.parts.back().insert(p.parts.back().begin(), p.parts[part].back());
    const size_t last = p.parts[part].size() - 1;
    return without_call(std::move(p), part, last);
  };
  const auto accept = [&](plan smaller) {
    if (!try_smaller(smaller))
      return false;
    from = std::move(smaller);
    return true;
  };
  const auto one_smaller = [&] {
    for (size_t i = 1; i + 1 < from.parts.size() && from.threads() > 1; i++)
      if (!from.parts[i].empty() && accept(without_thread(from, i)))
        return true;
    for (size_t i = 0; i < from.parts.size(); i++)
      for (size_t j = from.parts[i].size(); j--;) {
        const bool is_thread = i && i + 1 < from.parts.size();
        const bool is_last = is_thread && from.parts[i].size() == 1;
        if (!is_last && accept(without_call(from, i, j)))
          return true;
      }
    for (size_t i = 1; i + 1 < from.parts.size(); i++)
      if (from.parts[i].size() > 1 && (accept(with_first_before(from, i)) ||
                                       accept(with_last_behind(from, i))))
        return true;
    return false;
  };
  while (one_smaller()) {
  }
  return from;
}

} // namespace unscheduled
} // namespace detail
} // namespace atsan

#endif // ATSAN_LINEARIZABLE_PLAN_HPP
