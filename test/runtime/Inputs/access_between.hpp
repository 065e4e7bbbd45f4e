//===- access_between.hpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What another thread does between a region's accesses, for tests of hooks that
// stand for several of them.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TEST_ACCESS_BETWEEN_HPP
#define ATSAN_TEST_ACCESS_BETWEEN_HPP

#include "atsan_test.hpp"

template <class Words> using Access = void (*)(Words *);

// The first time the location becomes known; the third, all is recorded.
template <class Words>
__attribute__((noinline)) void access_often(Access<Words> access, Words *w,
                                            Words *spare) {
  static volatile int times = 3;
  Words *list[] = {spare, w, w};
  for (int i = 0; i < times; i++) access(list[i]);
}

// A region accesses, another thread changes, and the region accesses again. If
// `read_before`, two other regions read the same before.
template <class Words, class Change>
void change_between(Words *w, Words *spare, Access<Words> access,
                    Access<Words> read_before, Change change) {
  auto reader = [=](int step) {
    atsan::atomic_region region("reader");
    step_begin(step);
    if (read_before)
      read_before(w);
    step_end(step);
    while (steps_done() < 5) sched_yield();
  };
  in_parallel([=] { reader(1); }, [=] { reader(2); },
              [=] {
                atsan::atomic_region region("victim");
                for (int step = 3; step <= 5; step += 2) {
                  step_begin(step);
                  access_often(access, w, spare);
                  step_end(step);
                }
              },
              [=] {
                STEP(4) change();
              });
}

// Reads outside regions, between two writes of a region to `first[before]` and
// `first[after]`.
template <class Words, class Word>
void read_between(Access<Words> read, Words *w, Word *first, int before,
                  int after) {
  in_parallel(
      [=] {
        atsan::atomic_region region("writer");
        STEP(1) first[before] = 1;
        STEP(3) first[after] = 1;
      },
      [=] {
        STEP(2) read(w);
      });
}

#endif // ATSAN_TEST_ACCESS_BETWEEN_HPP
