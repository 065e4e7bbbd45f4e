// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a block that is freed and given out again begins a new life: accesses
// of different lives do not conflict, even inside a region. The same accesses
// in one life do, and so do those of who uses a block that was freed and is
// nobody else's yet: the trace of that run says the same.
// RUN: %silent %t malloc
// RUN: %silent %t new
// RUN: %silent %t calloc
// RUN: %exits 66 %t one-life 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=trace=%t.freed %exits 66 %t freed 2>&1 | FileCheck %s
// RUN: %exits 66 %atsan check --algorithm=conflict-graph %t.freed
// RUN: env ATSAN_OPTIONS=trace=%t.again %silent %t malloc
// RUN: %atsan check --algorithm=conflict-graph %t.again
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <functional>
#include <malloc.h>

static long *block;

// Keeps the optimizer from removing allocations.
static long *opaque(void *p) {
  __asm__ volatile("" : "+r"(p));
  return static_cast<long *>(p);
}

// Not at its begin, where the allocator links blocks that are free.
static void touch(long *p) {
  p[6] = 1;
  USE(p[7]);
}

static void reuse(std::function<void *()> allocate,
                  std::function<void(void *)> release) {
  // The first allocation of a thread takes memory for the allocator itself.
  auto warm_up = [] { free(opaque(malloc(10))); };
  in_parallel(
      [=] {
        STEP(1) warm_up();
        atsan::atomic_region region("victim");
        void *freed;
        STEP(3) {
          long *p = opaque(allocate());
          touch(p);
          freed = p;
          release(p);
        }
        STEP(5) {
          long *p = opaque(allocate());
          if (p != freed || p != shared())
            fprintf(stderr, "no reuse, nothing tested\n");
          touch(p);
          release(p);
        }
      },
      [=] {
        STEP(2) warm_up();
        STEP(4) {
          long *p = opaque(allocate());
          touch(p);
          share(p);
          release(p);
        }
        step_begin(6); // The end of a thread frees memory of the allocator.
      });
}

static void one_life(bool is_freed) {
  block = opaque(malloc(64));
  in_parallel(
      [] {
        atsan::atomic_region region("victim");
        STEP(1) touch(block);
        // CHECK: region 'victim'
        // CHECK: heap block of 64 bytes
        // CHECK: SUMMARY: {{.*}} in touch
        STEP(3) touch(block);
      },
      [=] {
        STEP(2) {
          if (is_freed)
            free(block);
          else
            touch(block);
        }
      });
  if (!is_freed)
    free(block);
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  // One arena, and blocks too large for caches and holes: the next allocation
  // gets the block.
  mallopt(M_ARENA_MAX, 1);
  if (is("malloc"))
    reuse([] { return malloc(100000); }, free);
  if (is("calloc"))
    reuse([] { return calloc(1, 100000); }, free);
  if (is("new"))
    reuse([] { return operator new(100000); },
          [](void *p) { operator delete(p); });
  if (is("one-life"))
    one_life(/*is_freed=*/false);
  if (is("freed"))
    one_life(/*is_freed=*/true);
}
