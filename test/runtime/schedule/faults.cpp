// RUN: %clangxx_atsan -fatomicity-schedule -g -O1 %s -o %t
// RUN: env ATSAN_OPTIONS=schedule_strategy=random %silent timeout 60 %t
// RUN: env ATSAN_OPTIONS=schedule_strategy=random %exits 66 %t null 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=schedule_strategy=random %exits 66 %t guarded 2>&1 | FileCheck %s
// Intent: a fault is the program's, where it accesses the memory, and not ours,
// where the point before the access looks at the value: a handler that leaves
// by siglongjmp leaves nothing locked, and a crash names the program's line.
// CHECK: ERROR: AtomicitySanitizer: SEGV on unknown address
// CHECK: #0 {{.*}} in readUnguarded{{.*}} {{.*}}faults.cpp:[[#@LINE+21]]
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <thread>

static thread_local sigjmp_buf Env;
static void onFault(int) { siglongjmp(Env, 1); }

static bool canRead(const int *Pointer) {
  if (sigsetjmp(Env, /*savemask=*/1))
    return false;
  return *const_cast<const volatile int *>(Pointer) >= 0;
}

static int readUnguarded(const volatile int *Pointer) { return *Pointer; }

int main(int Argc, char **Argv) {
  void *Guard =
      mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Argc > 1)
    return readUnguarded(strcmp(Argv[1], "null") ? static_cast<int *>(Guard) + 7
                                                 : nullptr);

  signal(SIGSEGV, onFault);
  int Counts[2] = {0, 0}, There = 5;
  const int *Pointers[] = {nullptr, static_cast<int *>(Guard), &There};
  auto Work = [&](int Self) {
    for (const int *P : Pointers) Counts[Self] += canRead(P);
  };
  std::thread First(Work, 0), Second(Work, 1);
  First.join();
  Second.join();
  return Counts[0] != 1 || Counts[1] != 1;
}
