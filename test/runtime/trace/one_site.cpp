// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: with --all, a place that is reached by two ways is one finding, as it
// is in process (docs/semantics.md, rule 11).
// RUN: env ATSAN_OPTIONS=halt_on_error=0:exitcode=0:trace=%t.trace %t 2> %t.process
// RUN: grep -c ^SUMMARY %t.process | FileCheck --check-prefix=ONE %s
// ONE: {{^1$}}
// RUN: for a in scg conflict-graph; do \
// RUN:   not %atsan check --algorithm=$a --all %t.trace | FileCheck %s || exit 1; done
// CHECK: Verdict: violation at event {{.*}} (1 finding;
// RUN: not %atsan check --algorithm=reduction --fail-on=potential --all %t.trace | \
// RUN:   FileCheck --check-prefix=POTENTIAL %s
// POTENTIAL: (1 finding;
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

static std::mutex mutex;
static int counter;

static int get() {
  std::lock_guard<std::mutex> lock(mutex);
  return counter;
}

static void set(int value) {
  std::lock_guard<std::mutex> lock(mutex);
  counter = value;
}

__attribute__((noinline)) static void add(int step) {
  atsan::atomic_region region("add");
  int seen = 0;
  STEP(step) seen = get();
  STEP(step + 2) set(seen + 1);
}

__attribute__((noinline)) static void first_way() { add(1); }
__attribute__((noinline)) static void second_way() { add(4); }

int main() {
  in_parallel(
      [] {
        first_way();
        second_way();
      },
      [] {
        STEP(2) set(10);
        STEP(5) set(20);
      });
}
