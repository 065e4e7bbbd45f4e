// RUN: %if llvm-19 %{ %clangxx_atsan -std=c++11 -O2 -w -I%inputs %s -o %t && %run %t %}
// RUN: %if llvm-19 %{ %clangxx_atsan -std=c++17 -O0 -w -I%inputs %s -o %t && %run %t %}
// RUN: %if !llvm-19 %{ %clangxx_atsan -std=c++20 -O1 -w -I%inputs %s -o %t && %run %t %}
// Intent: what operations of the C++ library do to the program's data is seen,
// and what threads share within the library is not the program's. Not all
// standards with each LLVM: it takes half a minute to compile one.
//
// Of each operation there are three runs, each in a process of its own. In the
// first, a region does it before and after another thread does. That is a
// cycle: one of them changes something. In the second, each has an object of
// its own, in the third, one lock is held for the whole region: no cycle.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <deque>
#include <forward_list>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <vector>
#if __cplusplus >= 201703L
#include <any>
#include <charconv>
#include <optional>
#include <string_view>
#include <variant>
#endif

extern "C" const char *__atsan_default_options() { return "symbolize=0"; }

// A type in the table has no comma.
using std::string;
template <class T> using A = std::array<T, 4>;
using Pair = std::pair<int, string>;
using Map = std::map<int, int>;
using Words = std::map<string, int>;
using HashMap = std::unordered_map<int, int>;
using HashedWords = std::unordered_map<string, int>;
using HashMultimap = std::unordered_multimap<int, int>;
#if __cplusplus >= 201703L
using Variant = std::variant<int, string>;
#endif

// With some elements.
template <class T> struct Filled : T {
  Filled() {
    for (int i = 0; i < 9; i++) (*this)[i] = i;
  }
};

// An object of a class with several bases, and what it is known as.
struct Shape {
  virtual ~Shape() {}
  int sides = 4;
};
struct Named {
  virtual ~Named() {}
};
struct Movable : virtual Named {};
struct Square : Shape, Movable {};
struct Circle : Shape {};
struct Object {
  alignas(16) char memory[64];
  Shape *shape;
  Named *named;
  Object() : shape(new(memory) Square), named(static_cast<Square *>(shape)) {}
  void make_again() { new (memory) Square; }
};

// The optimizer may not do without the value.
extern "C" ATSAN_TEST_HELPER void sink(unsigned long) {}

// Of unknown size: the comparison with a constant of known size is no call.
extern "C++" ATSAN_TEST_HELPER string copy_of(const char *text) { return text; }

#define SEEN(name, type, init, mine, theirs)                                   \
  struct name##_case {                                                         \
    type x;                                                                    \
    name##_case() : x init {}                                                  \
    __attribute__((noinline)) void by_region() { mine; }                       \
    __attribute__((noinline)) void by_other() { theirs; }                      \
  };
#define SHARED(name, type, init, mine, theirs)                                 \
  SEEN(name, type, init, mine, mine; theirs)
#include "Inputs/cxx.inc"
#undef SEEN
#undef SHARED

enum Way { INTERLEAVED, OWN, LOCKED };
static const char *const kWays[] = {"interleaved", "on its own",
                                    "under a lock"};

static std::mutex mutex;

template <class Case> void play(Way way) {
  const bool locked = way == LOCKED;
  Case *first = new Case, *second = way == OWN ? new Case : first;
  in_parallel(
      [=] {
        atsan::atomic_region region("region");
        if (locked)
          mutex.lock();
        STEP(1) first->by_region();
        STEP((locked ? 2 : 3)) first->by_region();
        if (locked)
          mutex.unlock();
      },
      [=] {
        STEP((locked ? 3 : 2)) {
          if (locked)
            mutex.lock();
          second->by_other();
          if (locked)
            mutex.unlock();
        }
      });
}

template <class Case> int found(Way way) {
  int status;
  pid_t child = fork();
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    play<Case>(way);
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status) == 66 ? 1 : WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int checked, failures;
static const char *only;

template <class Case> void check(const char *name, bool seen) {
  if (only && strcmp(only, name))
    return;
  for (Way way : {INTERLEAVED, OWN, LOCKED}) {
    bool wanted = seen && way == INTERLEAVED;
    int result = found<Case>(way);
    checked++;
    if (result == wanted)
      continue;
    failures++;
    printf("%s %s: %s\n", name, kWays[way],
           result < 0   ? "the run failed"
           : result > 0 ? "reported"
                        : "missed");
  }
}

int main(int argc, char **argv) {
  only = argc > 1 ? argv[1] : nullptr;
#define SEEN(name, ...) check<name##_case>(#name, true);
#define SHARED(name, ...) check<name##_case>(#name, false);
#include "Inputs/cxx.inc"
  printf("%d runs, %d failures\n", checked, failures);
  return !checked || failures;
}
