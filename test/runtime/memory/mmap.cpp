// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: munmap, and mmap over something that is mapped, end the life of
// memory, also where the next mapping is made behind our back; mremap takes it
// elsewhere, and remap_file_pages takes others there. What follows in that
// place is new, to the end of the last page. What mremap leaves in its place
// lives on, what a call that fails was to take away, and memory whose contents
// madvise drops.
// RUN: for i in munmap unseen tail fixed moved left grown-anew cut cut-tail \
// RUN:   file-pages; do %silent %t $i || exit 1; done
// RUN: for i in kept grown dropped refused refused-move; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; done
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

// `end_life` is what happens to the memory at `place`, of which the int at
// `offset` is in use.
template <class EndLife>
static void run(EndLife end_life, size_t offset = kSize / 2,
                void *where = map_apart()) {
  char *place = static_cast<char *>(where);
  int *used = reinterpret_cast<int *>(place + offset);
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
  if (is("tail"))
    run(
        [](void *place) {
          munmap(place, kSize - 1000);
          map_unseen(place);
        },
        kSize - 8);
  if (is("fixed"))
    run([](void *place) { map(place); });
  if (is("moved"))
    run([](void *place) {
      void *elsewhere = map(nullptr, 0);
      check(mremap(place, kSize, kSize, MREMAP_MAYMOVE | MREMAP_FIXED,
                   elsewhere) == elsewhere);
      map_unseen(place);
    });
  if (is("left"))
    run([](void *place) {
      check(mremap(place, kSize, kSize, MREMAP_MAYMOVE | MREMAP_DONTUNMAP) !=
            MAP_FAILED);
    });
  if (is("grown-anew"))
    run([](void *place) {
      syscall(SYS_munmap, static_cast<char *>(place) + kSize / 2, kSize / 2);
      check(mremap(place, kSize / 2, kSize, MREMAP_MAYMOVE) == place);
    });
  if (is("file-pages"))
    run([](void *place) { check(!remap_file_pages(place, kSize, 0, 0, 0)); },
        kSize / 2,
        mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
             -1, 0));
  if (is("cut"))
    run([](void *place) {
      check(mremap(place, kSize, kSize / 2, 0) == place);
      map_unseen(place);
    });
  if (is("cut-tail"))
    run(
        [](void *place) {
          check(mremap(place, kSize - 1000, kSize / 2, 0) == place);
          map_unseen(place);
        },
        kSize - 8);
  if (is("dropped"))
    run([](void *place) { check(!madvise(place, kSize, MADV_DONTNEED)); });
  if (is("refused"))
    run([](void *place) {
      check(munmap(static_cast<char *>(place) + 8, kSize) == -1);
    });
  if (is("refused-move"))
    run([](void *place) {
      check(mremap(place, kSize, 0, MREMAP_MAYMOVE) == MAP_FAILED);
    });
  if (is("kept"))
    run([](void *) {});
  if (is("grown"))
    run([](void *place) {
      check(mremap(place, kSize, kSize / 4 * 3, MREMAP_MAYMOVE) == place);
      check(mremap(place, kSize / 4 * 3, kSize, MREMAP_MAYMOVE) == place);
    });
}
