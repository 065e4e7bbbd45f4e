//===-- sanitizer/atsan_history.hpp -----------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Watches whether an object behaves as one atomic register, while the program
// runs:
//
//   Seqlock<int> lock;
//   atsan::history<int> watched("lock", 0);
//   ...
//   watched.write(7, [&] { lock.store(7); });              // by any thread
//   int v = watched.read([&] { return lock.load(); });
//
// or, in place of a class with the members of std::atomic,
//
//   atsan::checked_register<int> x(0);                     // std::atomic<int>
//   atsan::checked_register<int, MyRegister> y(0);
//
// A result that no moment between call and return explains is reported. With
// -fsanitize=atomicity, that is a report like those of regions; without it, a
// text on stderr, and the program ends with exit code 66, unless a handler was
// set. docs/registers.md says what is decided.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HISTORY_HPP
#define ATSAN_HISTORY_HPP

#include <atomic>
#include <cstring>
#include <memory>
#include <sanitizer/atsan_history.h>
#include <sanitizer/atsan_register_monitor.h>
#include <type_traits>
#include <utility>

#ifndef __SANITIZE_ATOMICITY__
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#endif

namespace atsan {

// What the text of a report says, for a handler.
using history_handler = void (*)(const char *text);

namespace detail {

template <class T> word to_word(const T &value) {
  static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 8,
                "a watched value is trivially copyable, of at most 8 bytes");
  static_assert(std::is_floating_point<T>::value ||
                    __has_unique_object_representations(T),
                "a watched value has no padding: its bytes are compared");
  word bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

#ifdef __SANITIZE_ATOMICITY__

// The runtime has the monitor, and takes stacks.
class watch {
public:
  watch(const char *name, word initial, unsigned bits) {
    __atsan_history_begin(this, initial, bits, name);
  }
  ~watch() { __atsan_history_end(this); }
  watch(const watch &) = delete;
  watch &operator=(const watch &) = delete;

  unsigned call(operation what, word argument, word expected) {
    __atsan_call(this, static_cast<__atsan_operation>(what), argument,
                 expected);
    return 0;
  }
  void ret(unsigned, word found, bool changed) {
    __atsan_return(this, found, changed);
  }

private:
  char place = 0; // An address of its own.
};

inline history_handler set_handler(history_handler) { return nullptr; }

#else

inline std::atomic<history_handler> &handler() {
  static std::atomic<history_handler> set{nullptr};
  return set;
}
inline history_handler set_handler(history_handler to) {
  return handler().exchange(to);
}

class watch {
public:
  watch(const char *name, word initial, unsigned bits)
      : name(name ? name : ""), monitor(new register_monitor) {
    monitor->reset(initial, bits == 64 ? ~0ull : (1ull << bits) - 1);
  }
  ~watch() {
    while (!monitor->finish())
      report(describe());
  }
  watch(const watch &) = delete;
  watch &operator=(const watch &) = delete;

  unsigned call(operation what, word argument, word expected) {
    std::unique_lock<std::mutex> guard(lock);
    for (unsigned i = 0; i < register_monitor::most_waits && monitor->is_full();
         i++) {
      guard.unlock();
      std::this_thread::sleep_for(
          std::chrono::microseconds(register_monitor::wait_microseconds));
      guard.lock();
    }
    return monitor->call(this_thread(), what, argument, expected, 0);
  }
  void ret(unsigned operation, word found, bool changed) {
    std::string text;
    {
      const std::lock_guard<std::mutex> guard(lock);
      if (!monitor->ret(operation, found, changed))
        text = describe();
    }
    if (!text.empty())
      report(text);
  }

private:
  static unsigned this_thread() {
    static std::atomic<unsigned> count{0};
    static thread_local const unsigned number = count++;
    return number;
  }

  static std::string text_of(const monitored &o) {
    static const char *const names[] = {"read", "write",     "exchange",
                                        "cas",  "fetch_add", "add"};
    std::string out = names[static_cast<unsigned>(o.what)];
    if (o.changes)
      out += " leaves " + std::to_string(o.argument);
    if (o.what != operation::write && o.what != operation::add)
      out += " finds " + std::to_string(o.expected);
    return "T" + std::to_string(o.thread) + ": " + out + " (from " +
           std::to_string(o.call) + " to " + std::to_string(o.ret) + ")";
  }
  std::string describe() const {
    std::string out = "ERROR: AtomicitySanitizer: linearizability violation: "
                      "register '" +
                      name + "'\n  " + text_of(monitor->violation()) +
                      "\n  fits nowhere between its call and its return";
    word values[8];
    const unsigned count = monitor->possible_values(values, 8);
    for (unsigned i = 0; i < count; i++)
      out += (i ? ", " : "; the register can have held ") +
             std::to_string(values[i]);
    out += "\n  Operations that returned before, the last one first:\n";
    for (unsigned i = 0; const monitored *o = monitor->recent(i); i++)
      if (o->call != monitor->violation().call)
        out += "    " + text_of(*o) + "\n";
    return out;
  }
  static void report(const std::string &text) {
    if (const history_handler to = handler().load())
      return to(text.c_str());
    std::fputs(text.c_str(), stderr);
    std::_Exit(66);
  }

  std::string name;
  std::mutex lock; // Numbers calls and returns in an order that all agree on.
  std::unique_ptr<register_monitor> monitor;
};

#endif // __SANITIZE_ATOMICITY__

} // namespace detail

/// Without -fsanitize=atomicity: who is called with the text of a report, in
/// place of its being printed and the program's being ended; null: nobody.
/// Returns who was called before. With it, use __atsan_on_report.
inline history_handler on_history_violation(history_handler to) {
  return detail::set_handler(to);
}

/// Watches an object with values of type T: trivially copyable, of at most 8
/// bytes, without padding; two are the same if their bytes are. Each member
/// calls `work`, which does the operation, and returns what it returned; where
/// it throws, the operation may take effect at any time. Thread-safe, as far as
/// `work` is.
template <class T> class history {
public:
  /// The object holds `initial`. The name is for reports.
  explicit history(const char *name, T initial = T())
      : watched(name, detail::to_word(initial), 8 * sizeof(T)) {}

  /// `work` returns the value.
  template <class Work> T read(Work work) {
    return find(detail::operation::read, T(), work);
  }
  template <class Work> void write(T value, Work work) {
    leave(detail::operation::write, value, work);
  }
  /// `work` returns the value before.
  template <class Work> T exchange(T value, Work work) {
    return find(detail::operation::exchange, value, work);
  }
  /// What `work` returns does not count. T is a whole number.
  template <class Work> void add(T value, Work work) {
    static_assert(std::is_integral<T>::value, "sums are of whole numbers");
    leave(detail::operation::add, value, work);
  }
  template <class Work> T fetch_add(T value, Work work) {
    static_assert(std::is_integral<T>::value, "sums are of whole numbers");
    return find(detail::operation::fetch_add, value, work);
  }
  /// `work` is called with a reference to `expected`, into which it stores the
  /// value that it finds if it returns false.
  template <class Work>
  bool compare_exchange(T &expected, T desired, Work work) {
    const unsigned o = call(detail::operation::cas, desired, expected);
    const bool changed = work(expected);
    watched.ret(o, detail::to_word(expected), changed);
    return changed;
  }

private:
  unsigned call(detail::operation what, T argument, T expected) {
    return watched.call(what, detail::to_word(argument),
                        detail::to_word(expected));
  }
  // An operation that tells the value that it found.
  template <class Work> T find(detail::operation what, T argument, Work &work) {
    const unsigned o = call(what, argument, T());
    const T found = work();
    watched.ret(o, detail::to_word(found), what != detail::operation::read);
    return found;
  }
  // One that tells nothing.
  template <class Work>
  void leave(detail::operation what, T argument, Work &work) {
    const unsigned o = call(what, argument, T());
    work();
    watched.ret(o, 0, true);
  }

  detail::watch watched;
};

/// A register that is watched: in place of `Register`, a class with members of
/// std::atomic. Those that it does not have cannot be called.
template <class T, class Register = std::atomic<T>> class checked_register {
public:
  explicit checked_register(T initial = T(), const char *name = "register")
      : object(initial), watched(name, initial) {}
  checked_register(const checked_register &) = delete;
  checked_register &operator=(const checked_register &) = delete;

  /// Memory orders, as std::atomic's members take them, are handed on.
  template <class... Order> T load(Order... order) const {
    return watched.read([&] { return T(object.load(order...)); });
  }
  template <class... Order> void store(T value, Order... order) {
    watched.write(value, [&] { object.store(value, order...); });
  }
  template <class... Order> T exchange(T value, Order... order) {
    return watched.exchange(
        value, [&] { return T(object.exchange(value, order...)); });
  }
  template <class... Order> T fetch_add(T value, Order... order) {
    return watched.fetch_add(
        value, [&] { return T(object.fetch_add(value, order...)); });
  }
  template <class... Order> T fetch_sub(T value, Order... order) {
    return watched.fetch_add(static_cast<T>(0ull - to_bits(value)), [&] {
      return T(object.fetch_sub(value, order...));
    });
  }
  template <class... Order>
  bool compare_exchange_strong(T &expected, T desired, Order... order) {
    return watched.compare_exchange(expected, desired, [&](T &e) {
      return object.compare_exchange_strong(e, desired, order...);
    });
  }
  /// One that fails without cause has found the value that it expected.
  template <class... Order>
  bool compare_exchange_weak(T &expected, T desired, Order... order) {
    return watched.compare_exchange(expected, desired, [&](T &e) {
      return object.compare_exchange_weak(e, desired, order...);
    });
  }

  operator T() const { return load(); }
  T operator=(T value) {
    store(value);
    return value;
  }
  T operator++(int) { return fetch_add(1); }
  T operator--(int) { return fetch_sub(1); }
  T operator++() { return *this += 1; }
  T operator--() { return *this -= 1; }
  T operator+=(T value) {
    return static_cast<T>(to_bits(fetch_add(value)) + to_bits(value));
  }
  T operator-=(T value) {
    return static_cast<T>(to_bits(fetch_sub(value)) - to_bits(value));
  }
  /// The register itself, for what is not to be watched.
  Register &unwatched() { return object; }

private:
  // Sums wrap, also where they would overflow.
  static detail::word to_bits(T value) {
    return static_cast<detail::word>(value);
  }

  mutable Register object;
  mutable history<T> watched;
};

} // namespace atsan

#endif // ATSAN_HISTORY_HPP
