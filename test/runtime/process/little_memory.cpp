// RUN: %clangxx_atsan -O1 -fno-builtin -I%inputs %s -o %t
// Intent: where the address space is too small for the runtime, one message
// says what it could not have and how much; the exit code is not zero (which of
// ours it is depends on how far the start-up came).
// RUN: for i in 30000 32000 36000 40000 50000 80000; do \
// RUN:   (ulimit -v $i; timeout 60 %t) > %t.log 2>&1; \
// RUN:   case $? in 66 | 2) ;; *) exit 1 ;; esac; \
// RUN:   FileCheck --check-prefix=MEMORY %s < %t.log || exit 1; done
// MEMORY: {{ERROR|FATAL}}: AtomicitySanitizer: {{.*}}out of memory{{.*}} to allocate {{(noreserve )?[0-9a-fx]+}}
//
// Where it is large enough for the program, but not for the symbolizer, the
// report comes without symbols. (An arena of libc's malloc for each thread
// might take what the runtime needs.)
// RUN: (ulimit -v 200000; env MALLOC_ARENA_MAX=1 %silent %t)
// RUN: (ulimit -v 200000; env MALLOC_ARENA_MAX=1 %exits 66 %t bad 2>&1 | FileCheck %s)
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'user'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
//
// A program that uses up all it may have, and can deal with it, does so. In a
// region the runtime needs some, too: it says so if there is none.
// RUN: for i in 4000 100000; do %silent %t exhaust $i outside || exit 1; done
// RUN: for i in 40 4000 100000; do \
// RUN:   %silent %t exhaust $i || { %exits 66 %t exhaust $i > %t.log 2>&1 && \
// RUN:     FileCheck --check-prefix=MEMORY %s < %t.log; } || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

static int x;

static void run(bool bad) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 1 << 18);
  pthread_setattr_default_np(&attr);
  in_parallel(
      [] {
        atsan::atomic_region region("user");
        STEP(1) USE(x);
        STEP(3) USE(x);
      },
      [=] {
        STEP(2) {
          if (bad)
            x = 1;
        }
      });
}

struct block {
  struct block *next;
};

// All blocks of `size` bytes that there are in 64 MB more than now.
static int exhaust(size_t size, bool inside) {
  rlimit limit = {0, RLIM_INFINITY};
  block *all = nullptr, *next;
  long pages = 0, blocks = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld", &pages) != 1 || fclose(file))
    return 4;
  limit.rlim_cur = static_cast<rlim_t>(pages) * 4096 + (64 << 20);
  if (setrlimit(RLIMIT_AS, &limit))
    return 5;
  if (inside)
    __atsan_region_begin("exhaust");
  errno = 0;
  for (; (next = static_cast<block *>(malloc(size))); all = next, blocks++)
    next->next = all;
  if (errno != ENOMEM || !blocks)
    return 6;
  for (; all; all = next, blocks--) {
    next = all->next;
    free(all);
  }
  if (inside)
    __atsan_region_end();
  if (blocks)
    return 7;
  run(/*bad=*/false);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 2)
    return exhaust(static_cast<size_t>(atol(argv[2])), argc == 3);
  run(called_with(argc, argv, "bad"));
}
