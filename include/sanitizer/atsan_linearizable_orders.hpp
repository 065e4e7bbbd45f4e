//===-- sanitizer/atsan_linearizable_orders.hpp -----------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the results of operations are those of a sequential object, when each
// of them takes effect at one moment between its call and its return (Herlihy
// and Wing, 1990). All orders are tried that these allow (Wing and Gong, 1993),
// and no state is tried twice after the same operations (Lowe, 2017). A part of
// <sanitizer/atsan_linearizable.hpp>.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LINEARIZABLE_ORDERS_HPP
#define ATSAN_LINEARIZABLE_ORDERS_HPP

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace atsan {
namespace detail {
inline namespace unscheduled {

using stamp = unsigned long;

// A state of the sequential object, whatever its class: what follows is
// compiled once for all objects of a program.
class state {
public:
  virtual ~state() = default;
  virtual std::unique_ptr<state> copy() const = 0;
  // False where they cannot be compared.
  virtual bool equals(const state &other) const = 0;
};

template <class T, class = void> struct has_equality : std::false_type {};
template <class T>
struct has_equality<T, std::void_t<decltype(bool(std::declval<const T &>() ==
                                                 std::declval<const T &>()))>>
    : std::true_type {};

template <class Sequential> class state_of final : public state {
public:
  state_of() = default;
  explicit state_of(const Sequential &object) : object(object) {}
  std::unique_ptr<state> copy() const override {
    return std::make_unique<state_of>(object);
  }
  bool equals(const state &other) const override {
    if constexpr (has_equality<Sequential>::value)
      return object == static_cast<const state_of &>(other).object;
    return false;
  }
  Sequential object = Sequential();
};

// A call of an operation. Stamps are those of its call and its return, each
// taken once.
class observed {
public:
  virtual ~observed() = default;
  // Does the operation on a sequential object; says whether it returns there
  // what it has returned.
  virtual bool fits(state &object) const = 0;
  // Does the operation; what it returns there, as text.
  virtual std::string returns(state &object) const = 0;
  // What of the object the operation is about; empty: all of it.
  virtual std::string key() const { return std::string(); }

  stamp called = 0, returned = 0;
};

using observed_calls = std::vector<const observed *>;

// Copies objects, and compares them where they can be compared. Not
// thread-safe.
class orders {
public:
  // At most 64 calls. What returned later than `until` is open: it may have
  // taken effect, whatever it returned, or not.
  orders(const observed_calls &all, const state &initial,
         stamp until = ~stamp(0))
      : all(all), until(until), initial(initial) {}

  // Whether there is an order of the calls that explains all results.
  bool exist() {
    tried.clear();
    return search(0, initial);
  }

  // What the call can return, as sorted texts, in an order that explains the
  // results of all others. It must be open.
  std::vector<std::string> results_of(const observed *call) {
    walked.clear();
    std::vector<std::string> found;
    walk(0, initial, call, found);
    return found;
  }

private:
  using mask = unsigned long long;
  // States by what was done before. (A table of its own: std::unordered_map
  // takes a tenth of the time to compile a small test.)
  class states_after {
  public:
    void clear() {
      for (std::vector<entry> &part : parts)
        part.clear();
    }
    // False: it is there already.
    bool add(mask done, const state &object) {
      std::vector<entry> &part = parts[done * 0x9e3779b97f4a7c15ull >> 56];
      for (const entry &known : part)
        if (known.done == done && known.object->equals(object))
          return false;
      part.push_back({done, object.copy()});
      return true;
    }

  private:
    struct entry {
      mask done;
      std::unique_ptr<state> object;
    };
    std::vector<entry> parts[256];
  };

  static mask bit(size_t i) { return mask(1) << i; }
  bool is_open(size_t i) const { return all[i]->returned > until; }

  // The first return among those that are not done, and must be: what was
  // called later cannot be next.
  stamp first_return(mask done) const {
    stamp first = ~stamp(0);
    for (size_t i = 0; i < all.size(); i++)
      if (!(done & bit(i)) && !is_open(i) && all[i]->returned < first)
        first = all[i]->returned;
    return first;
  }

  bool search(mask done, const state &object) {
    const stamp before = first_return(done);
    if (before == ~stamp(0))
      return true;
    if (!tried.add(done, object))
      return false;
    for (size_t i = 0; i < all.size(); i++) {
      if (done & bit(i) || all[i]->called > before)
        continue;
      const std::unique_ptr<state> next = object.copy();
      const bool fits = all[i]->fits(*next);
      if ((fits || is_open(i)) && search(done | bit(i), *next))
        return true;
    }
    return false;
  }

  // Goes through all that can come before the call.
  void walk(mask done, const state &object, const observed *call,
            std::vector<std::string> &found) {
    if (!walked.add(done, object))
      return;
    const stamp before = first_return(done);
    for (size_t i = 0; i < all.size(); i++) {
      if (done & bit(i) || all[i]->called > before)
        continue;
      const std::unique_ptr<state> next = object.copy();
      if (all[i] == call) {
        const std::string result = call->returns(*next);
        tried.clear(); // It holds what the last search went through.
        auto place = found.begin();
        while (place != found.end() && *place < result)
          ++place;
        const bool is_known = place != found.end() && *place == result;
        if (!is_known && search(done | bit(i), *next))
          found.insert(place, result);
      } else if (all[i]->fits(*next) || is_open(i)) {
        walk(done | bit(i), *next, call, found);
      }
    }
  }

  const observed_calls &all;
  const stamp until;
  const state &initial;
  states_after tried, walked;
};

enum class verdict {
  explained,
  unexplained,
  wrong_keys, // By keys there is no order; on the whole, there is one.
};

// Decides the operations of each key for themselves, if all have one: objects
// that consist of independent parts are linearizable if each part is (Herlihy
// and Wing, theorem 1).
inline verdict decide(const observed_calls &all, const state &initial) {
  struct part {
    std::string key;
    observed_calls calls;
  };
  std::vector<part> parts;
  bool has_keys = true;
  for (const observed *call : all) {
    const std::string key = call->key();
    has_keys &= !key.empty();
    size_t i = 0;
    while (i < parts.size() && parts[i].key != key)
      i++;
    if (i == parts.size())
      parts.push_back({key, {}});
    parts[i].calls.push_back(call);
  }
  const auto explains = [&](const observed_calls &calls) {
    return orders(calls, initial).exist();
  };
  if (!has_keys || parts.size() == 1)
    return explains(all) ? verdict::explained : verdict::unexplained;
  for (const part &each : parts)
    if (!explains(each.calls))
      return explains(all) ? verdict::wrong_keys : verdict::unexplained;
  return verdict::explained;
}

// What was called before the call has returned.
inline observed_calls begun_before_return(const observed_calls &all,
                                          const observed *call) {
  observed_calls begun;
  for (const observed *other : all)
    if (other->called < call->returned)
      begun.push_back(other);
  return begun;
}

// The call whose return is the first that no order explains, when what is open
// then may return anything; null: there is none.
inline const observed *first_unexplained(const observed_calls &all,
                                         const state &initial) {
  const observed *first = nullptr;
  for (const observed *call : all) {
    if (first && call->returned > first->returned)
      continue;
    const observed_calls begun = begun_before_return(all, call);
    if (!orders(begun, initial, call->returned).exist())
      first = call;
  }
  return first;
}

} // namespace unscheduled
} // namespace detail
} // namespace atsan

#endif // ATSAN_LINEARIZABLE_ORDERS_HPP
