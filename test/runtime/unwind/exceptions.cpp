// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: a region ends with its scope when an exception leaves it, an
// ATSAN_ATOMIC function when one leaves the function; after that, verdicts are
// right: what follows is outside (clean), what is in the next region is inside
// (violation).
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
//
// RUN: for t in %t.0 %t.2; do for i in scope function nested through; do \
// RUN:   %silent $t $i || exit 1; \
// RUN:   %exits 66 $t $i later 2>&1 | FileCheck --check-prefix=LATER %s || exit 1; \
// RUN: done; \
// RUN: %exits 66 $t caught 2>&1 | FileCheck --check-prefix=CAUGHT %s || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stdexcept>

int x;

__attribute__((noinline)) static void thrower() {
  USE(x);
  throw std::runtime_error("expected");
}

static void scope() {
  atsan::atomic_region region("scope");
  USE(x);
  thrower();
}

ATSAN_ATOMIC static void function() {
  USE(x);
  thrower();
}

ATSAN_ATOMIC static void nested() {
  atsan::atomic_region region("nested");
  scope();
}

// No handler and no destructor in this frame: only the unwinder comes by.
ATSAN_ATOMIC __attribute__((noinline)) static void inner_through(int depth) {
  if (depth == 0)
    thrower();
  inner_through(depth - 1);
  __asm__ volatile("");
}
static void through() { inner_through(5); }

// CAUGHT: region 'caught'
// CAUGHT: SUMMARY: {{.*}}exceptions.cpp:[[#@LINE+10]]:
// The exception does not leave the region, so that does not end.
static void caught() {
  atsan::atomic_region region("caught");
  STEP(1) {
    try {
      thrower();
    } catch (const std::runtime_error &) {
    }
  }
  STEP(3) USE(x);
}

// LATER: region 'next'
// LATER: SUMMARY: {{.*}}exceptions.cpp:[[#@LINE+13]]:
static void victim(void (*leaves)()) {
  STEP(1) {
    try {
      leaves();
      abort();
    } catch (const std::runtime_error &) {
      USE(x);
    }
  }
  STEP(3) USE(x);
  atsan::atomic_region region("next");
  STEP(4) USE(x);
  STEP(6) USE(x);
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  bool later = is("later");
  if (is("caught")) {
    in_parallel(caught, [] {
      STEP(2) x = 1;
    });
    return 0;
  }
  void (*leaves)() = is("scope")      ? scope
                     : is("function") ? function
                     : is("nested")   ? nested
                                      : through;
  in_parallel([=] { victim(leaves); },
              [=] {
                STEP(2) x = 1;
                STEP(5) {
                  if (later)
                    x = 2;
                }
              });
}
