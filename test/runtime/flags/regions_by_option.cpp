// Intent: regions without a mark in the source: listed functions, exported ones
// and critical sections, each with its exclusions, at compile time and at run
// time. Reports call them by their functions' names.
//
// RUN: echo 'bank::transfer' > %t.list
// RUN: %clangxx_atsan -O1 -I%inputs -fatomicity-regions=list:%t.list %s -o %t.listed
// RUN: %exits 66 %t.listed 2>&1 | FileCheck --check-prefix=FUNCTION %s
// RUN: %clangxx_atsan -O1 -I%inputs -fatomicity-regions=exported %s -o %t.exported
// RUN: %exits 66 %t.exported 2>&1 | FileCheck --check-prefix=FUNCTION %s
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t.exported
// A list may begin with the byte order mark of Windows editors.
// RUN: printf '\357\273\277bank::transfer\n' > %t.mark
// RUN: %clangxx_atsan -O1 -I%inputs -fatomicity-regions=list:%t.mark %s -o %t.marked
// RUN: %exits 66 %t.marked 2>&1 | FileCheck --check-prefix=FUNCTION %s
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.mark'" %silent %t.exported
// FUNCTION: Region 'bank::transfer(int)' of T1 is not atomic
//
// RUN: %clangxx_atsan -O1 -I%inputs -fatomicity-regions=critical-sections %s -o %t.sections
// RUN: %exits 66 %t.sections 2>&1 | FileCheck --check-prefix=SECTION %s
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t.sections
// SECTION: Region at regions_by_option.cpp:{{[0-9]+}} of T1 is not atomic
//
// The twins.
// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t.none
// RUN: %silent %t.none
// RUN: for how in exported critical-sections list:%t.list; do %clangxx_atsan -O1 -I%inputs -fatomicity-regions=$how -fatomicity-exclude=%t.list %s -o %t.excluded && %silent %t.excluded || exit 1; done
// RUN: for how in exported critical-sections list:%t.list; do %clangxx_atsan -O1 -I%inputs -DGOOD -fatomicity-regions=$how %s -o %t.good && %silent %t.good || exit 1; done
// A list in one module excludes regions that begin in another one.
// RUN: %clangxx_atsan -O1 -I%inputs -fatomicity-regions=critical-sections -c %s -o %t.o
// RUN: echo 'int unused;' > %t.other.cpp
// RUN: %clangxx_atsan -fatomicity-exclude=%t.list %t.o %t.other.cpp -o %t.two
// RUN: %silent %t.two
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

int balance;
static std::mutex mutex;

namespace bank {

__attribute__((noinline)) void transfer(int amount) {
  std::lock_guard<std::mutex> lock(mutex);
  int seen;
  STEP(1) seen = balance;
#ifdef GOOD
  STEP(2) balance = seen + amount;
#else
  STEP(3) balance = seen + amount;
#endif
}

} // namespace bank

static void audit() {
#ifdef GOOD
  STEP(3) balance = 0;
#else
  STEP(2) balance = 0;
#endif
}

int main() {
  in_parallel([] { bank::transfer(1); }, audit);
}
