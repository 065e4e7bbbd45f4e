// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what the runtime keeps for a region costs few page faults. Memory
// that the runtime reads first and then writes costs two faults for each page,
// and the second one interrupts all processors that run the program.
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

constexpr size_t kPage = 4096, kPages = 2048, kFar = 4;
constexpr int kDepth = 10, kStacks = 1 << kDepth, kThreads = 400;

#define NOINLINE __attribute__((noinline))

static long faults() {
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage))
    exit(2);
  return usage.ru_minflt;
}

static int failed;
static void at_most(const char *what, long got, long limit) {
  if (got <= limit)
    return;
  fprintf(stderr, "%s: %ld, more than %ld\n", what, got, limit);
  failed = 1;
}

// The program's own memory, with which nobody has been at work yet.
static char *fresh_memory(size_t size) {
  void *memory =
      mmap(nullptr, size + kPage, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    exit(2);
  return static_cast<char *>(memory);
}

NOINLINE static void touch(char *p) { *const_cast<volatile char *>(p) = 1; }

// The page faults that it costs to touch some bytes.
static long touch_each(size_t distance, size_t size) {
  char *memory = fresh_memory(size);
  long before = faults();
  {
    atsan::atomic_region region("touch");
    for (size_t i = 0; i < size; i += distance) touch(memory + i);
  }
  return faults() - before;
}

// Accesses of as many stacks as there are numbers with so many bits.
static long x[kStacks];
NOINLINE static void call(long *p, int number, int bits) {
  if (!bits) {
    *p = 1;
  } else if (number & 1) {
    call(p, number / 2, bits - 1);
    __asm__ volatile("nop");
  } else {
    call(p, number / 2, bits - 1);
    __asm__ volatile("");
  }
}

static void add() {
  atsan::atomic_region region("add");
  __atomic_fetch_add(&x[0], 1, __ATOMIC_RELAXED);
}

int main() {
  at_most("faults of the first region", touch_each(8, kPage), 200);

  // Each page of the program's has one for cells and one for locations. Where
  // the kernel cannot be asked for pages to write, there is one more fault.
  long near = touch_each(512, kPages * kPage);
  if (!madvise(fresh_memory(kPage), kPage, MADV_POPULATE_WRITE))
    at_most("faults of neighbours", near, kPages * 5 / 2);

  // Others around get none.
  at_most("faults of single accesses",
          touch_each(kFar * kPage, kPages * kFar * kPage), kPages * 4);

  long before = faults();
  {
    atsan::atomic_region region("stacks");
    for (int i = 0; i < kStacks; i++) call(&x[i], i, kDepth);
  }
  at_most("faults of locations", faults() - before, kStacks / 2);

  for (int i = 0; i < kThreads; i++) {
    if (i == kThreads / 2)
      before = faults();
    std::thread(add).join();
  }
  at_most("faults of threads", faults() - before, kThreads / 2);
  return failed;
}
