// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %clangxx_atsan -std=c++20 $level -I%inputs %s -o %t -latomic || exit 1; \
// RUN:   for how in 1 2 4 8 16 32 weak do continue c11 builtin ref late; do \
// RUN:     %silent %t $how restart || exit 1; \
// RUN:     env ATSAN_OPTIONS=trace=%t.trace %silent %t $how restart || exit 1; \
// RUN:     %exits 66 %t $how 2>&1 | FileCheck %s || exit 1; done; \
// RUN:   for how in ends shared; do \
// RUN:     %exits 66 %t $how restart 2>&1 | FileCheck %s || exit 1; done; done
// Intent: that a failed compare-exchange writes what it has found to memory
// does not say that its attempt goes on, whatever the size, the library and the
// level; nor do other plain accesses, which the optimizer may drop. Without the
// restart the attempt counts, at the latest where its region ends. What others
// see of the write counts in any case.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region '{{attempt|look}}'

static bool restarts;
static int other;

static bool restart() {
  if (restarts)
    __atomic_restart();
  return true;
}

template <int N> struct Words {
  Words(long n = 0) : words{n} {}
  long words[N];
};

// The first attempt fails, since another thread comes between 1 and 3. Its
// region has not accessed `expected` before.
template <class T, class Loop> static void attempt(Loop loop) {
  static std::atomic<T> object;
  static T expected;
  in_parallel(
      [=] {
        atsan::atomic_region region("attempt");
        STEP(1) object.load();
        STEP(3) loop(object, expected);
      },
      [] {
        STEP(2) object = T(1);
      });
}

template <class T> static void in_memory() {
  attempt<T>([](std::atomic<T> &object, T &expected) {
    while (!object.compare_exchange_strong(expected, T(2))) restart();
  });
}

// The other thread's region has looked at the expected value in between.
static void share() {
  static std::atomic<int> object{1};
  static int expected;
  in_parallel(
      [] {
        atsan::atomic_region region("attempt");
        STEP(2) CHECK(!object.compare_exchange_strong(expected, 2));
        restart();
      },
      [] {
        atsan::atomic_region region("look");
        STEP(1) USE(expected);
        STEP(3) USE(expected);
      });
}

int main(int argc, char **argv) {
  const auto is = [=](const char *word) { return !strcmp(argv[1], word); };
  restarts = called_with(argc, argv, "restart");
  if (is("1"))
    in_memory<char>();
  if (is("2"))
    in_memory<short>();
  if (is("4"))
    in_memory<int>();
  if (is("8"))
    in_memory<void *>();
  if (is("16"))
    in_memory<Words<2>>();
  if (is("32"))
    in_memory<Words<4>>();
  if (is("weak"))
    attempt<int>([](auto &object, int &expected) {
      while (!object.compare_exchange_weak(expected, expected + 1)) restart();
    });
  if (is("do"))
    attempt<int>([](auto &object, int &expected) {
      do {
        other = expected;
      } while (!object.compare_exchange_strong(expected, 2) && restart());
    });
  if (is("continue"))
    attempt<int>([](auto &object, int &expected) {
      for (;;) {
        if (!object.compare_exchange_strong(expected, 2)) {
          restart();
          continue;
        }
        break;
      }
    });
  if (is("c11"))
    attempt<int>([](auto &object, int &expected) {
      auto *o = reinterpret_cast<_Atomic(int) *>(&object);
      while (!__c11_atomic_compare_exchange_strong(
          o, &expected, 2, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        restart();
    });
  if (is("builtin"))
    attempt<int>([](auto &object, int &expected) {
      int two = 2;
      while (!__atomic_compare_exchange(reinterpret_cast<int *>(&object),
                                        &expected, &two, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        restart();
    });
  if (is("ref"))
    attempt<int>([](auto &object, int &expected) {
      std::atomic_ref<int> ref(reinterpret_cast<int &>(object));
      while (!ref.compare_exchange_strong(expected, 2)) restart();
    });
  if (is("late"))
    attempt<int>([](auto &object, int &expected) {
      while (!object.compare_exchange_strong(expected, 2)) {
        other = expected;
        restart();
      }
    });
  if (is("ends"))
    attempt<int>([](auto &object, int &expected) {
      CHECK(!object.compare_exchange_strong(expected, 2));
      other = expected;
    });
  if (is("shared"))
    share();
}
