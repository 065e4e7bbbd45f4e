// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: shmat and shmdt begin and end the life of a whole segment, in as many
// mappings as mprotect has cut it into, also where the next one comes behind
// our back. A segment beside it lives on, and so does one that could not be
// detached.
// RUN: for i in attached replaced detached in-pieces tail; do \
// RUN:   %silent %t $i || exit 1; done
// RUN: for i in kept beside refused; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/mman.h>
#include <sys/shm.h>

constexpr size_t kPage = 4096;
constexpr size_t kSize = 16 * kPage - 100; // The last page is mapped whole.
constexpr size_t kMapped = 16 * kPage;

// Where the kernel puts nothing by itself.
static char *const place = reinterpret_cast<char *>(0x100000000000);

static char *attach(char *where, int flags = 0) {
  int segment = shmget(IPC_PRIVATE, kSize, 0600);
  CHECK(segment >= 0);
  void *res = shmat(segment, where, flags);
  shmctl(segment, IPC_RMID, nullptr); // It goes with its last mapping.
  CHECK(res == where);
  return where;
}

// As the loader and the allocator do it.
static void map_unseen() {
  long res = syscall(SYS_mmap, place, kMapped, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0L);
  CHECK(res == reinterpret_cast<long>(place));
}

// CHECK: region 'user'
// CHECK: SUMMARY: {{.*}}shared_segments.cpp:

template <class EndLife>
static void run(EndLife end_life, size_t offset = 8 * kPage) {
  int *used = reinterpret_cast<int *>(attach(place) + offset);
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) *used = 1;
        STEP(3) {
          end_life();
          *used = 1;
        }
      },
      [=] {
        STEP(2) *used = 2;
      });
}

int main(int, char **argv) {
  auto is = [=](const char *word) { return !strcmp(argv[1], word); };
  auto detached = [] {
    CHECK(!shmdt(place));
    map_unseen();
  };
  if (is("attached"))
    run([] {
      // Its end is not seen.
      syscall(SYS_shmdt, place);
      attach(place);
    });
  if (is("replaced"))
    run([] { attach(place, SHM_REMAP); });
  if (is("detached"))
    run(detached);
  if (is("in-pieces"))
    run([=] {
      CHECK(!mprotect(place + 4 * kPage, kPage, PROT_READ));
      CHECK(!munmap(place + 5 * kPage, kPage));
      detached();
    });
  if (is("tail"))
    run(detached, kMapped - 8);
  if (is("kept"))
    run([] {});
  if (is("beside"))
    run([] { CHECK(!shmdt(attach(place + kMapped))); });
  if (is("refused"))
    run([] { CHECK(shmdt(place + kPage) == -1); });
}
