// RUN: %clangxx_atsan -std=c++17 -O0 -w -I%inputs %s -o %t && %run %t
// RUN: %clangxx_atsan -std=c++17 -O2 -w -I%inputs %s -o %t && %run %t
// Intent: the runtime's own work on nodes of lists and trees does what the
// library's does, inside regions and outside: against vectors, with the
// library's own test of trees.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <list>
#include <random>
#include <sanitizer/atsan.hpp>
#include <string>
#include <vector>
#define private public // For __rb_verify.
#include <set>
#undef private

using Vector = std::vector<int>;

static void expect(bool what, const char *name) {
  if (what)
    return;
  puts(name);
  abort();
}

static void compare(const std::set<int> &set, const Vector &sorted) {
  expect(std::equal(set.begin(), set.end(), sorted.begin(), sorted.end()),
         "elements");
  expect(std::equal(set.rbegin(), set.rend(), sorted.rbegin(), sorted.rend()),
         "elements from behind");
  expect(set._M_t.__rb_verify(), "no red-black tree");
}

static void compare(const std::list<int> &list, const Vector &elements) {
  expect(std::equal(list.begin(), list.end(), elements.begin(), elements.end()),
         "list");
  expect(std::equal(list.rbegin(), list.rend(), elements.rbegin(),
                    elements.rend()),
         "list from behind");
}

static void change(std::set<int> &set, Vector &sorted, int x, bool insert) {
  auto place = std::lower_bound(sorted.begin(), sorted.end(), x);
  bool has = place != sorted.end() && *place == x;
  if (insert) {
    expect(set.insert(x).second != has, "insert");
    if (!has)
      sorted.insert(place, x);
  } else {
    expect(set.erase(x) == has, "erase");
    if (has)
      sorted.erase(place);
  }
}

struct Lists {
  std::list<int> a, b;
  Vector of_a, of_b;

  void change(int x, int how) {
    int at = a.empty() ? 0 : x % a.size();
    switch (how) {
    case 0:
      a.push_back(x);
      of_a.push_back(x);
      break;
    case 1:
      a.push_front(x);
      of_a.insert(of_a.begin(), x);
      break;
    case 2:
      a.reverse();
      std::reverse(of_a.begin(), of_a.end());
      break;
    case 3:
      a.swap(b);
      of_a.swap(of_b);
      break;
    case 4:
      if (a.empty())
        break;
      a.erase(std::next(a.begin(), at));
      of_a.erase(of_a.begin() + at);
      break;
    case 5:
      a.splice(std::next(a.begin(), at), b);
      of_a.insert(of_a.begin() + at, of_b.begin(), of_b.end());
      of_b.clear();
      break;
    case 6:
      a.sort();
      std::sort(of_a.begin(), of_a.end());
      break;
    }
    compare(a, of_a);
    compare(b, of_b);
  }
};

static void work(unsigned seed, int range) {
  std::mt19937 random(seed);
  std::set<int> set;
  Vector sorted;
  Lists lists;
  for (int i = 0; i < 1500; i++) {
    int x = random() % range;
    change(set, sorted, x, random() % 2);
    if (i % 16 == 0)
      compare(set, sorted);
    lists.change(x, random() % 7);
  }
}

int main() {
  for (unsigned seed = 0; seed < 8; seed++) {
    int range = 10 + seed * 40;
    work(seed, range);
    atsan::atomic_region region("region");
    work(seed + 100, range);
  }
}
