// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t && %clangxx_atsan -O1 -fatomicity-regions=critical-sections -I%inputs %s -o %t.sections
// Intent: what is remembered of regions that have begun before, and of lists,
// does not outlive what it depends on: the name's content, and the lists.
// RUN: printf 'dropped\nbank::dropped\n' > %t.list
// RUN: for how in literal buffer; do env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t $how dropped || exit 1; done
// RUN: for how in literal buffer; do env ATSAN_OPTIONS="exclude_regions='%t.list'" %exits 66 %t $how kept 2>&1 | FileCheck %s || exit 1; done
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t.sections section dropped
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %exits 66 %t.sections section kept 2>&1 | FileCheck --check-prefix=SECTION %s
// A library that is loaded later may bring a list of its own.
// RUN: for how in literal buffer; do %silent %t $how dropped late || exit 1; done
// RUN: for how in literal buffer; do %exits 66 %t $how kept late 2>&1 | FileCheck %s || exit 1; done
// CHECK: Region 'kept' of T1 is not atomic
// SECTION: ERROR: AtomicitySanitizer: atomicity violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>
#include <string>

extern "C" void __atsan_exclude_regions(const char *list);

int x;
static std::string how;

static void useTwice(bool now) {
  if (!now)
    return;
  STEP(1) USE(x);
  STEP(3) USE(x);
}

// Both names have this place and this address.
static char buffer[16];
static __attribute__((noinline)) void inBuffer(const char *name, bool now) {
  strcpy(buffer, name);
  atsan::atomic_region region(buffer);
  useTwice(now);
}

static __attribute__((noinline)) void named(const char *name, bool now) {
  atsan::atomic_region region(name);
  useTwice(now);
}

namespace bank {

static std::mutex lock;
__attribute__((noinline)) void dropped(bool now) {
  std::lock_guard<std::mutex> guard(lock);
  useTwice(now);
}
__attribute__((noinline)) void kept(bool now) {
  std::lock_guard<std::mutex> guard(lock);
  useTwice(now);
}

} // namespace bank

static void begin(const char *name, bool now) {
  const bool isDropped = !strcmp(name, "dropped");
  if (how == "section")
    isDropped ? bank::dropped(now) : bank::kept(now);
  else
    how == "buffer" ? inBuffer(name, now) : named(name, now);
}

int main(int argc, char **argv) {
  how = argv[1];
  const char *name = !strcmp(argv[2], "dropped") ? "dropped" : "kept";
  const char *other = !strcmp(argv[2], "dropped") ? "kept" : "dropped";
  in_parallel(
      [=] {
        for (int i = 0; i < 12; i++) {
          if (i == 9 && argc > 3)
            __atsan_exclude_regions("dropped\n");
          begin(i % 3 == 2 ? name : other, i == 11);
        }
      },
      [] {
        STEP(2) x = 1;
      });
}
