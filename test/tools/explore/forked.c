// RUN: %clang_atsan -O1 -fatomicity-schedule %s -o %t
// Intent: a child that nobody waits for may have written what the program
// reads: systematic does not say that it has seen all schedules. Without the
// child (twin) it does.
// RUN: %run %atsan explore --strategy=systematic --runs=3 --output=%t.out -- %t | FileCheck %s
// RUN: %run %atsan explore --strategy=systematic --runs=3 --output=%t.out -- %t twin | FileCheck --check-prefix=TWIN %s
// CHECK: explore: {{[0-9]+ schedules?}}
// TWIN: explore: the only class of schedules: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <sanitizer/atsan_interface.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static void *start(void *unused) { return unused; }

int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, start, NULL);
  pthread_join(thread, NULL);
  int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  (void)argv;
  signal(SIGCHLD, SIG_IGN);
  if (argc == 1 && fork() == 0) {
    *shared = 1;
    _exit(0);
  }
  __atomic_begin();
  int value = *shared;
  __atomic_end();
  return value > 1;
}
