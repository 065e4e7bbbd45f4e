// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: of a recursion deeper than 16 frames a stack has each call once, and
// says so; a shorter one is whole. However a recursion goes on in a region, its
// stacks take a bounded amount of memory, and time: when there are too many of
// them, only the innermost calls are told apart, but of recursions only.
// RUN: %run %t many
// RUN: %run %t short
// RUN: %exits 66 %t after 2>&1 | FileCheck --check-prefix=AFTER %s
// AFTER: First: read of 4 bytes
// AFTER-NEXT: {{#0 .*}}visit(
// AFTER-NEXT: {{#1 .*}}{{left|right}}(
// AFTER-NEXT: {{#2 .*}}visit(
// AFTER-NEXT: {{#3 .*}}readAndWrite(
// AFTER-NOT: left out
// RUN: %exits 66 %t 40 2>&1 | FileCheck --check-prefix=DEEP %s
// DEEP: First: read of 4 bytes
// DEEP-NEXT: {{#0 .*}}visit(
// DEEP-NEXT: {{#1 .*}}{{left|right}}(
// DEEP-NEXT: {{#2 .*}}visit(
// DEEP-NEXT: {{#3 .*}}{{left|right}}(
// DEEP-NEXT: {{#4 .*}}visit(
// DEEP-NEXT: {{#5 .*}}readAndWrite(
// DEEP: [of a recursion, each call is shown once]
// RUN: env ATSAN_OPTIONS=report_format=json %exits 66 %t 40 2> %t.json
// RUN: FileCheck --check-prefix=JSON --input-file=%t.json %s
// JSON: "left_out":{{ ?}}"repeated calls"
// RUN: %exits 66 %atsan report --html %t.html %t.json
// RUN: FileCheck --check-prefix=HTML --input-file=%t.html %s
// HTML: The stack lacks repeated calls.
// RUN: %exits 66 %t 60 2>&1 | FileCheck --check-prefix=DEEP %s
// RUN: %exits 66 %t 6 2>&1 | FileCheck --check-prefix=SHORT %s
// SHORT: First: read of 4 bytes
// SHORT: {{#12 .*}}visit(
// SHORT-NEXT: {{#13 .*}}readAndWrite(
// SHORT-NOT: of a recursion
// A stack that has changed above frames that lie as they did before is another
// one.
// RUN: %exits 66 %t changed 2>&1 | FileCheck --check-prefix=CHANGED %s
// CHANGED: First: read of 4 bytes
// CHANGED-NEXT: {{#0 .*}}down(
// CHANGED-NEXT: {{#1 .*}}down(
// CHANGED-NEXT: {{#2 .*}}second(
// CHANGED-NEXT: {{#3 .*}}readTwice(
// CHANGED: [of a recursion, each call is shown once]
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

static int counter;

// Not a tail call.
#define STAY asm volatile("" ::: "memory")

static int visit(unsigned path, int depth);

__attribute__((noinline)) static int left(unsigned path, int depth) {
  int sum = visit(path >> 1, depth - 1);
  STAY;
  return sum;
}
__attribute__((noinline)) static int right(unsigned path, int depth) {
  int sum = visit(path >> 1, depth - 1);
  STAY;
  return sum + 1;
}
__attribute__((noinline)) static int visit(unsigned path, int depth) {
  if (!depth)
    return counter;
  int sum = path & 1 ? left(path, depth) : right(path, depth);
  STAY;
  return sum;
}

__attribute__((noinline)) static void readAndWrite(unsigned path, int depth) {
  atsan::atomic_region region("sum");
  int sum;
  STEP(1) sum = visit(path, depth);
  STEP(3) counter = sum;
}

static int down(const int *p, int depth) {
  int sum = depth ? down(p, depth - 1) : *p;
  STAY;
  return sum;
}
__attribute__((noinline)) static int first(const int *p) {
  int sum = down(p, 30);
  STAY;
  return sum;
}
__attribute__((noinline)) static int second(const int *p) {
  int sum = down(p, 30);
  STAY;
  return sum;
}

__attribute__((noinline)) static void readTwice() {
  static int other;
  atsan::atomic_region region("sum");
  int sum = first(&other);
  STEP(1) sum += second(&counter);
  STEP(3) counter = sum;
}

static long mebibytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// Ways through the recursion that all differ, in regions.
static int take_many_ways() {
  long before = 0;
  unsigned path = 1;
  for (int i = 0; i < 100000; i++) {
    if (i == 10000)
      before = mebibytes();
    path = path * 1664525 + 1013904223;
    atsan::atomic_region region("way");
    visit(path >> 8, 24);
  }
  const long more = mebibytes() - before;
  std::printf("%ld MiB more\n", more);
  return more > 2;
}

static int way(unsigned long path, int depth);

// The number in the assembly keeps the calls apart.
template <int N> static inline int take(unsigned long path, int depth) {
  asm volatile("# %0" ::"i"(N));
  int sum = way(path >> 4, depth - 1);
  asm volatile("# %1" : "+r"(sum) : "i"(N));
  return sum;
}
#define TAKE(N)                                                                \
  case N:                                                                      \
    return take<N>(path, depth)
static int way(unsigned long path, int depth) {
  if (!depth)
    return counter;
  switch (path & 15) {
    TAKE(0);
    TAKE(1);
    TAKE(2);
    TAKE(3);
    TAKE(4);
    TAKE(5);
    TAKE(6);
    TAKE(7);
    TAKE(8);
    TAKE(9);
    TAKE(10);
    TAKE(11);
    TAKE(12);
    TAKE(13);
    TAKE(14);
  default:
    return take<15>(path, depth);
  }
}
// Ways through a recursion of 13 frames that all differ, each in a region: by
// four calls, or by sixteen.
static int take_short_ways(unsigned long calls) {
  long before = 0;
  unsigned long path = 1;
  for (int i = 0; i < 300000; i++) {
    if (i == 200000)
      before = mebibytes();
    path = path * 6364136223846793005 + 1442695040888963407;
    atsan::atomic_region region("way");
    way(path >> 16 & calls, 12);
  }
  const long more = mebibytes() - before;
  std::printf("%ld MiB more\n", more);
  return more > 2;
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "many"))
    return take_many_ways();
  constexpr unsigned long few = 0x333333333333, many = 0xffffffffffff;
  if (called_with(argc, argv, "short"))
    return take_short_ways(few) || take_short_ways(many);
  const bool is_after = called_with(argc, argv, "after");
  if (is_after)
    take_short_ways(many);
  const bool changes = called_with(argc, argv, "changed");
  const int depth = changes ? 0 : is_after ? 1 : std::atoi(argv[1]);
  in_parallel([=] { changes ? readTwice() : readAndWrite(0x5a5a5a5b, depth); },
              [] {
                STEP(2) counter = 1;
              });
}
