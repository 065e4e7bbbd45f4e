// Intent: an operation that does not return is a finding with a table of the
// calls, and its schedule shows it again: in a loop, and in a deadlock.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -std=c++17 -O1 -fatomicity-schedule %s -o test
// RUN: %silent ./test
// RUN: %exits 66 ./test spin 2> spin || exit 1; FileCheck --check-prefix=SPIN %s < spin && FileCheck --check-prefix=FOUND %s < spin
// RUN: env ATSAN_OPTIONS=schedule=test.1.sched %exits 66 ./test spin 2>&1 | FileCheck --check-prefix=SPIN %s
// SPIN: thread 1
// SPIN: next() -> 1
// SPIN: .. next() does not return
// SPIN: ERROR: AtomicitySanitizer: deadlock: no thread can go on; {{.*}} goes round a loop
// FOUND: replay it: ATSAN_OPTIONS=schedule=test.1.sched ./test
// RUN: rm test.1.sched
// RUN: %exits 66 ./test deadlock 2> locks || exit 1; FileCheck --check-prefix=LOCKS %s < locks && FileCheck --check-prefix=FOUND %s < locks
// RUN: env ATSAN_OPTIONS=schedule=test.1.sched %exits 66 ./test deadlock 2>&1 | FileCheck --check-prefix=LOCKS %s
//     LOCKS: thread 1 thread 2{{$}}
// LOCKS-DAG: .. next() does not return
// LOCKS-DAG: .. reset() does not return
//     LOCKS: ERROR: AtomicitySanitizer: deadlock: no thread can go on
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <mutex>
#include <sanitizer/atsan_linearizable.hpp>
#include <string>

struct Sequential {
  int next() { return value++; }
  void reset() { value = 0; }
  int value = 0;
};

// Broken: the lock is not given back when 1 is returned.
template <bool Broken> struct Spin {
  int next() {
    acquire();
    const int found = value++;
    if (!Broken || found != 1)
      is_held = false;
    return found;
  }
  void reset() {
    acquire();
    value = 0;
    is_held = false;
  }
  void acquire() {
    while (is_held.exchange(true)) {
    }
  }
  std::atomic<bool> is_held{false};
  int value = 0;
};

// Broken: one operation takes the locks in the other order.
template <bool Broken> struct TwoLocks {
  int next() {
    std::lock_guard<std::mutex> first(a), second(b);
    return value++;
  }
  void reset() {
    std::lock_guard<std::mutex> first(Broken ? b : a), second(Broken ? a : b);
    value = 0;
  }
  std::mutex a, b;
  int value = 0;
};

template <class Object> int run() {
  atsan::linearizable_options options;
  options.tests = 20;
  return atsan::linearizable<Object, Sequential>(
      options, atsan::op("next", [](auto &o) { return o.next(); }),
      atsan::op("reset", [](auto &o) { o.reset(); }));
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "spin")
    return run<Spin<true>>();
  if (what == "deadlock")
    return run<TwoLocks<true>>();
  return run<Spin<false>>() || run<TwoLocks<false>>();
}
