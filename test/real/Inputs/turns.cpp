//===-- turns.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See turns.h. No pthread function either: their interceptors would see it. Of
// others they see what the calling thread has on its stack.
//
//===----------------------------------------------------------------------===//

#include "turns.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static int Step;
static int Sleeper;

void waitForStep(int n) {
  while (__atomic_load_n(&Step, __ATOMIC_ACQUIRE) != n)
    sched_yield();
}

void stepDone() { __atomic_fetch_add(&Step, 1, __ATOMIC_RELEASE); }

void goingToSleep() {
  __atomic_store_n(&Sleeper, static_cast<int>(syscall(SYS_gettid)),
                   __ATOMIC_RELEASE);
}

// Of "ID (NAME) STATE ...", in the kernel's words.
static char stateOf(int Thread) {
  char Path[64], Text[256];
  snprintf(Path, sizeof(Path), "/proc/self/task/%d/stat", Thread);
  long File = syscall(SYS_openat, AT_FDCWD, Path, O_RDONLY);
  long Size = syscall(SYS_read, File, Text, sizeof(Text) - 1);
  syscall(SYS_close, File);
  Text[Size > 0 ? Size : 0] = 0;
  const char *NameEnd = strrchr(Text, ')');
  return NameEnd ? NameEnd[2] : 0;
}

void waitForSleeper() {
  int Thread;
  while (!(Thread = __atomic_load_n(&Sleeper, __ATOMIC_ACQUIRE)) ||
         stateOf(Thread) != 'S')
    sched_yield();
}
