// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: realloc that moves reads the old block and writes the new one; the
// bytes of a block that grows in its place keep their history.
// RUN: %silent %t moved
// RUN: %exits 66 %t in-place 2>&1 | FileCheck %s
// RUN: %silent %t in-place good
// RUN: %exits 66 %t failed 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <malloc.h>

// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}realloc.cpp:

static long *opaque(void *p) {
  __asm__ volatile("" : "+r"(p));
  return static_cast<long *>(p);
}

// The other thread moves the block away, and its old place is given out again.
static void moved() {
  mallopt(M_ARENA_MAX, 1); // The next allocation gets the place.
  in_parallel(
      [] {
        STEP(1)
          free(opaque(malloc(10))); // Takes memory for the allocator itself.
        atsan::atomic_region region("user");
        void *neighbour;
        STEP(3) {
          long *p = opaque(malloc(100000));
          neighbour = opaque(malloc(64)); // Keeps p from growing in its place.
          p[0] = 1;
          share(p);
        }
        STEP(5) {
          long *p = opaque(malloc(100000));
          if (p != shared())
            fprintf(stderr, "no reuse, nothing tested\n");
          p[0] = 2;
          free(p);
          free(neighbour);
        }
      },
      [] {
        STEP(2) free(opaque(malloc(10)));
        STEP(4) {
          void *old = shared();
          void *p = realloc(old, 1 << 20);
          if (opaque(p) == old)
            fprintf(stderr, "did not move, nothing tested\n");
          free(p);
        }
        step_begin(6); // The end of a thread frees memory of the allocator.
      });
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  bool good = is("good");
  if (is("moved"))
    moved();
  if (is("in-place")) {
    long *block = opaque(malloc(100000));
    in_parallel(
        [=] {
          atsan::atomic_region region("user");
          STEP(1) {
            block[0] = 1;
            if (opaque(realloc(block, 50000)) != block)
              fprintf(stderr, "moved, nothing tested\n");
          }
          STEP(3) USE(block[0]);
        },
        [=] {
          STEP(2) block[good ? 1 : 0] = 2;
        });
  }
  if (is("failed")) {
    long *block = opaque(malloc(100000));
    in_parallel(
        [=] {
          atsan::atomic_region region("user");
          STEP(1) {
            block[0] = 1;
            if (opaque(realloc(block, ~0ul / 4)))
              fprintf(stderr, "much memory, nothing tested\n");
          }
          STEP(3) USE(block[0]);
        },
        [=] {
          STEP(2) block[0] = 2;
        });
  }
}
