// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: of a recursion deeper than 16 frames a stack has each call once, and
// says so; a shorter one is whole. However a recursion goes on in a region, its
// stacks take a bounded amount of memory.
// RUN: %run %t many
// RUN: %exits 66 %t 40 2>&1 | FileCheck --check-prefix=DEEP %s
// DEEP: First: read of 4 bytes
// DEEP-NEXT: {{#0 .*}}visit(
// DEEP-NEXT: {{#1 .*}}{{left|right}}(
// DEEP-NEXT: {{#2 .*}}visit(
// DEEP-NEXT: {{#3 .*}}{{left|right}}(
// DEEP-NEXT: {{#4 .*}}visit(
// DEEP-NEXT: {{#5 .*}}readAndWrite(
// DEEP: [of a recursion, each call is shown once]
// RUN: %exits 66 %t 6 2>&1 | FileCheck --check-prefix=SHORT %s
// SHORT: First: read of 4 bytes
// SHORT: {{#12 .*}}visit(
// SHORT-NEXT: {{#13 .*}}readAndWrite(
// SHORT-NOT: of a recursion
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

int main(int argc, char **argv) {
  if (called_with(argc, argv, "many"))
    return take_many_ways();
  const int depth = std::atoi(argv[1]);
  in_parallel([=] { readAndWrite(0x5a5a5a5b, depth); },
              [] {
                STEP(2) counter = 1;
              });
}
