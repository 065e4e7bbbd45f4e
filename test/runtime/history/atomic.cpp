// Intent: checked_register stands in the place of std::atomic, with orders,
// operators and any number of bits, and what it returns is what that returns;
// what cannot be watched is a sentence at compile time.
// RUN: %clangxx_atsan -g0 -std=c++17 -O1 -Wall -Wextra -Werror %s -o %t
// RUN: %silent %t
// RUN: %clangxx -std=c++11 -O1 -Wall -Wextra -Werror -pthread -I %atsan_source_dir/include %s -o %t.plain
// RUN: %silent %t.plain
// RUN: not %clangxx -std=c++20 -DWRONG -fsyntax-only -I %atsan_source_dir/include %s 2>&1 | FileCheck %s
// CHECK-DAG: error: {{.*}}sums are of whole numbers
// CHECK-DAG: error: {{.*}}a watched value has no padding: its bytes are compared
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdlib>
#include <sanitizer/atsan_history.hpp>
#include <thread>

#define require(condition)                                                     \
  do                                                                           \
    if (!(condition))                                                          \
      std::abort();                                                            \
  while (0)

template <template <class> class Register, class T> T run() {
  Register<T> x(5);
  const Register<T> &same = x;
  T sum = x.fetch_add(3, std::memory_order_relaxed);
  sum = T(sum + x.fetch_sub(9, std::memory_order_acq_rel));
  sum = T(sum * 3 + x.load(std::memory_order_acquire));
  sum = T(sum * 3 + same.load());
  sum = T(sum * 3 + x++ + ++x);
  sum = T(sum * 3 + x-- + --x);
  sum = T(sum * 3 + (x += 7) + (x -= 100));
  sum = T(sum * 3 + x.exchange(2, std::memory_order_seq_cst));
  T expected = 1;
  require(!x.compare_exchange_strong(expected, 9) && expected == 2);
  while (!x.compare_exchange_weak(expected, 9, std::memory_order_release,
                                  std::memory_order_relaxed))
    require(expected == 2);
  x.store(T(x + 1), std::memory_order_release);
  sum = T(sum * 3 + (x = 77));
  return T(sum * 3 + same);
}
template <class T> using checked = atsan::checked_register<T>;
template <class T> using atomic = std::atomic<T>;

template <class T> void compare() {
  require((run<checked, T>()) == (run<atomic, T>()));
}

#ifdef WRONG
void no_sum(atsan::checked_register<double> &x) { x.fetch_add(1); }
struct Padded {
  char first;
  int second;
};
void no_bytes() { atsan::checked_register<Padded> x; }
#endif

int main() {
  compare<int>();
  compare<unsigned char>();
  compare<short>();
  compare<unsigned long long>();
  compare<long>();

  atsan::checked_register<long> shared(0);
  const auto work = [&] {
    for (int i = 0; i < 1000; i++) {
      shared += i;
      shared--;
    }
  };
  std::thread other(work);
  work();
  other.join();
  require(shared == 2 * (999 * 500 - 1000));
  int object = 0;
  atsan::checked_register<int *> pointer(nullptr);
  pointer = &object;
  require(pointer.load() == &object);
  atsan::checked_register<double> real(0.5);
  require(real.exchange(1.5) == 0.5 && real == 1.5);
}
