// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: a lock that is held for a thread's whole life makes one critical
// section of all that the thread does. The report says what to exclude, and so
// it is: the sections within are then checked, each for itself.
// RUN: for how in setup main; do env ATSAN_OPTIONS=critical_sections=1 %exits 66 %t $how > %t.out 2>&1 && FileCheck --input-file=%t.out %s || exit 1; grep -A1 'atomicity-exclude=FILE.$' %t.out | tail -1 > %t.$how.list; done
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: is a critical section that did not end where it began. If {{the main thread|T1}} holds this lock for
// CHECK-NEXT: good, exclude it: put this line into FILE and set ATSAN_OPTIONS=exclude_regions=FILE, or compile with
// CHECK-NEXT: -fatomicity-exclude=FILE.
// The line names the function that took the lock, and its caller.
// RUN: FileCheck --check-prefix=LINE --input-file=%t.setup.list %s
// LINE: {{^ *}}set_up() <- main{{$}}
// RUN: for how in setup main; do env ATSAN_OPTIONS="critical_sections=1:exclude_regions='%t.$how.list'" %silent %t $how || exit 1; done
// RUN: %clangxx_atsan -O1 -g -I%inputs -fatomicity-regions=critical-sections -fatomicity-exclude=%t.setup.list %s -o %t.excluded && %silent %t.excluded setup
//
// What is excluded hides nothing: a section within, and one that an outer lock
// was given back in.
// RUN: for how in within outlasting; do env ATSAN_OPTIONS="critical_sections=1:exclude_regions='%t.setup.list'" %exits 66 %t $how 2>&1 | FileCheck --check-prefix=WITHIN %s || exit 1; done
// WITHIN: Region at section_for_good.cpp:{{.*}} is not atomic
// WITHIN-NOT: exclude
// WITHIN: SUMMARY: {{.*}} in twice()
// RUN: env ATSAN_OPTIONS="critical_sections=1:exclude_regions='%t.setup.list'" %silent %t outlasting good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

#define NOINLINE __attribute__((noinline))

int x;
static std::mutex for_good, inner, outer;

NOINLINE static void set_up() { for_good.lock(); }

NOINLINE static void first() {
  STEP(1) USE(x);
}
NOINLINE static void second() {
  STEP(3) USE(x);
}

NOINLINE static void twice() {
  inner.lock();
  STEP(1) USE(x);
  STEP(3) USE(x);
  inner.unlock();
}

int main(int argc, char **argv) {
  const auto is = [=](const char *word) {
    return called_with(argc, argv, word);
  };
  std::thread other([] {
    STEP(2) x = 1;
  });
  if (is("main")) {
    for_good.lock();
  } else if (is("outlasting")) {
    outer.lock();
    set_up();
    outer.unlock();
  } else {
    set_up();
  }
  if (is("within") || (is("outlasting") && !is("good"))) {
    twice();
  } else {
    first();
    second();
  }
  other.join();
}
