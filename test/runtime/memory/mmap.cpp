// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: munmap, and mmap over something that is mapped, end the life of
// memory, also where the next mapping is made behind our back; mremap takes it
// elsewhere. What follows in that place is new. What mremap leaves in its place
// lives on.
// RUN: %silent %t munmap
// RUN: %silent %t unseen
// RUN: %silent %t fixed
// RUN: %silent %t moved
// RUN: %silent %t cut
// RUN: %exits 66 %t kept 2>&1 | FileCheck %s
// RUN: %exits 66 %t grown 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/mman.h>

constexpr size_t kSize = 1 << 16;

static void *map(void *where, int how = MAP_FIXED) {
  return mmap(where, kSize, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | how, -1, 0);
}

// Where the kernel puts nothing by itself: nobody takes what is given back for
// a moment.
static void *map_apart() {
  return map(reinterpret_cast<void *>(0x100000000000), 0);
}

// As the loader and the allocator do it.
static void map_unseen(void *where) {
  syscall(SYS_mmap, where, kSize, PROT_READ | PROT_WRITE,
          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0L);
}

static void check(bool holds) {
  if (holds)
    return;
  fprintf(stderr, "the mapping is not where it should be\n");
  _Exit(3);
}

// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}mmap.cpp:

// `end_life` is what happens to the memory at `place`, of which the second half
// is in use.
template <class EndLife> static void run(EndLife end_life) {
  char *place = static_cast<char *>(map_apart());
  int *used = reinterpret_cast<int *>(place + kSize / 2);
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) *used = 1;
        STEP(3) {
          end_life(place);
          *used = 1;
        }
      },
      [=] {
        STEP(2) *used = 2;
      });
}

int main(int, char **argv) {
  auto is = [=](const char *word) { return !strcmp(argv[1], word); };
  if (is("munmap"))
    run([](void *place) {
      munmap(place, kSize);
      map(place);
    });
  if (is("unseen"))
    run([](void *place) {
      munmap(place, kSize);
      map_unseen(place);
    });
  if (is("fixed"))
    run([](void *place) { map(place); });
  if (is("moved"))
    run([](void *place) {
      void *elsewhere = map(nullptr, 0);
      check(mremap(place, kSize, kSize, MREMAP_MAYMOVE | MREMAP_FIXED,
                   elsewhere) == elsewhere);
      map_unseen(place);
    });
  if (is("cut"))
    run([](void *place) {
      check(mremap(place, kSize, kSize / 2, 0) == place);
      map_unseen(place);
    });
  if (is("kept"))
    run([](void *) {});
  if (is("grown"))
    run([](void *place) {
      check(mremap(place, kSize, kSize / 4 * 3, MREMAP_MAYMOVE) == place);
      check(mremap(place, kSize / 4 * 3, kSize, MREMAP_MAYMOVE) == place);
    });
}
