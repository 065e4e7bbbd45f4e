// RUN: %clangxx_atsan -std=c++17 -O1 -g %s -o %t -ltbb
// Intent: the standard library's parallel algorithms and oneTBB's tasks divide
// the regions that they are called in. (What oneTBB keeps in its headers is
// instrumented with the program, and touched by all threads.)
// RUN: %silent %t
// REQUIRES: tbb
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan.hpp>

#include <algorithm>
#include <execution>
#include <numeric>
#include <stdexcept>
#include <tbb/tbb.h>
#include <vector>

static std::vector<int> numbers(20000);

static void add_one() {
  for (int &x : numbers) x++;
}

static void algorithms() {
  const auto par = std::execution::par;
  add_one();
  std::for_each(par, numbers.begin(), numbers.end(), [](int &x) { x += 2; });
  add_one();
  std::sort(par, numbers.begin(), numbers.end(), std::greater<int>());
  add_one();
  numbers[0] = std::reduce(par, numbers.begin(), numbers.end()) & 0xff;
  std::inclusive_scan(par, numbers.begin(), numbers.end(), numbers.begin(),
                      [](int x, int y) { return x ^ y; });
  add_one();
}

static void tasks() {
  tbb::task_group group;
  for (int i = 0; i < 8; i++) group.run([i] { numbers[i]++; });
  group.wait();
  add_one();
  tbb::parallel_invoke([] { numbers[0]++; }, [] { numbers[1]++; });
  add_one();
}

static void exception() {
  try {
    tbb::parallel_for(0, 1000, [](int i) {
      numbers[i]++;
      if (i == 500)
        throw std::runtime_error("of a task");
    });
  } catch (const std::runtime_error &) {
    add_one();
  }
}

int main() {
  for (int round = 0; round < 5; round++) {
    atsan::atomic_region region("all of it");
    algorithms();
    tasks();
    exception();
  }
}
