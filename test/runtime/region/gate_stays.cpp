// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: where there are many regions the gate is left open, and code outside
// regions closes it, whatever hooks it runs: after a bounded number of them. A
// region that finds it open is as atomic as any.
// RUN: %t hooks | FileCheck %s --check-prefix=HOOKS
// RUN: %silent %t whole
// RUN: %exits 66 %t interrupted 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <atomic>
#include <cstdio>
#include <cstdlib>

extern "C" unsigned __atsan_gate;

int *table; // Anybody might read these.
long neighbours[3];

namespace {

struct Block {
  char bytes[100];
};

volatile char c;
volatile int i;
volatile long words[4];
Block blocks[2];
std::atomic<int> a;
int x;

ATSAN_NO_SANITIZE __attribute__((noinline)) bool is_open() {
  return __atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED) != 0;
}

// Until the gate stays open.
__attribute__((noinline)) void run_regions() {
  for (int n = 0; n < 100000 && !is_open(); n++) {
    atsan::atomic_region region("many");
    i = n;
  }
}

template <class F>
__attribute__((noinline)) void close_by(const char *what, F step) {
  run_regions();
  if (!is_open())
    printf("%s: it does not stay open\n", what);
  int n = 0;
  for (; is_open() && n < 100000; n++) step();
  printf("%s: %s\n", what, n < 100000 ? "closed" : "still open");
}

void hooks(int *table) {
  // HOOKS: bytes: closed
  close_by("bytes", [] { c = 1; });
  // HOOKS-NEXT: words: closed
  close_by("words", [] { words[0] = 1; });
  // HOOKS-NEXT: runs: closed
  close_by("runs", [] { neighbours[0] = neighbours[2] = ++neighbours[1]; });
  // HOOKS-NEXT: ranges: closed
  close_by("ranges", [] { blocks[0] = blocks[1]; });
  // HOOKS-NEXT: loops: closed
  close_by("loops", [=] {
    for (int n = 0; n < 10; n++) table[3 * n] = n;
  });
  // HOOKS-NEXT: atomic operations: closed
  close_by("atomic operations", [] { a++; });
  // HOOKS-NEXT: heap: closed
  close_by("heap", [] {
    void *volatile p = malloc(8);
    free(p);
  });
}

void region(bool is_interrupted) {
  in_parallel(
      [=] {
        run_regions();
        atsan::atomic_region region("update");
        STEP(1) USE(x);
        // CHECK: SUMMARY: {{.*}}gate_stays.cpp:[[#@LINE+2]]:
        if (is_interrupted)
          STEP(3) x = 2;
      },
      [=] {
        STEP(2) {
          for (int n = 0; n < 100000; n++) words[0] = n; // Wants to close it.
          x = 1;
        }
      });
}

} // namespace

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  table = new int[100];
  if (is("hooks"))
    hooks(table);
  if (is("whole"))
    region(false);
  if (is("interrupted"))
    region(true);
}
