// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a crash is shown with the program's own line, not that of libc, and
// known by what has failed and where: a baseline that has one does not hide
// another, and knows it again when its lines have moved.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o test
// RUN: for w in first second thrown copied trapped noexcept null deep; do HOW=$w %exits 66 %atsan explore --runs=2 --replays=1 -- ./test || exit 1; done > said
// RUN: FileCheck --input-file=said %s
// CHECK: 1 crash, in schedule 1 (replayed 1 of 1 times)
// CHECK-NEXT: failed assertion 'value / 2 == 1 && "first"' at {{.*}}crash.cpp:[[@LINE+43]]:{{[0-9]+}} in check(bool)
// CHECK: failed assertion 'value == 1' at {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in check(bool)
// CHECK: ABRT {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in raiseError()
// CHECK: SEGV {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in copyTo(char*)
// CHECK: 1 crash, in schedule 1 (replayed 1 of 1 times)
// CHECK-NEXT: ILL {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in main
// CHECK: ABRT {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in raiseNothing()
// CHECK: SEGV {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in callNothing()
// CHECK: 1 crash, in schedule 1 (replayed 1 of 1 times)
// CHECK-NEXT: stack-overflow {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in goDown(int)
// RUN: env HOW=first %atsan explore --runs=2 --replays=1 --gate=known.json --write-baseline=known.json -- ./test
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DMOVED %s -o test
// RUN: env HOW=first %atsan explore --runs=2 --replays=1 --gate=known.json -- ./test | FileCheck --check-prefix=KNOWN %s
// KNOWN: 1 crash, known, in schedule 1
// RUN: env HOW=second %exits 66 %atsan explore --runs=2 --replays=1 --gate=known.json -- ./test | FileCheck --check-prefix=NEW %s
// NEW: 1 crash, in schedule 1
// A test that fails by itself is refused with the text and place of the
// assertion.
// RUN: env HOW=always %exits 2 %atsan explore -- ./test 2>&1 | FileCheck --check-prefix=ALWAYS %s
// ALWAYS: error: the command by itself ends with exit code 66 (failed assertion 'value / 2 == 1 && "first"' at {{.*}}crash.cpp:{{[0-9]+}}:{{[0-9]+}} in check(bool)); explore a test that passes
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#ifdef MOVED
#line 100
#endif

// Without control, nothing fails.
extern "C" unsigned __atsan_scheduled;

static int value;

static void __attribute__((noinline)) check(bool first) {
  if (first)
    assert(value / 2 == 1 && "first");
  assert(value == 1);
}

static void __attribute__((noinline)) raiseError() {
  throw std::runtime_error("nobody catches it");
}

static void __attribute__((noinline)) raiseNothing() noexcept { raiseError(); }

static void (*volatile nothing)();
static void __attribute__((noinline)) callNothing() {
  nothing();
  value++;
}

static int __attribute__((noinline)) goDown(int n) {
  volatile char page[4096];
  page[0] = static_cast<char>(n);
  return n < 0 ? 0 : goDown(n + 1) + page[0];
}

static void __attribute__((noinline)) copyTo(char *to) {
  static const char from[100] = {};
  std::memcpy(to, from, static_cast<size_t>(value) + 90);
}

int main() {
  const std::string how = getenv("HOW");
  std::thread([] {}).join();
  if (how == "always")
    check(/*first=*/true);
  if (!__atsan_scheduled)
    return 0;
  if (how == "thrown")
    raiseError();
  if (how == "copied")
    copyTo(reinterpret_cast<char *>(8));
  if (how == "noexcept")
    raiseNothing();
  if (how == "null")
    callNothing();
  if (how == "deep")
    std::thread([] { value = goDown(0); }).join();
  if (how == "trapped")
    __builtin_trap();
  check(how == "first");
}
