/*===-- atsan_test.h - What the test programs share -------------*- C++ -*-===//
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* Forces the interleaving of a test, in C and C++. The steps of all threads are
|* numbered 1, 2, 3... and run in this order:
|*
|*   STEP(1) x = 1;                  // one thread
|*   STEP(2) { y = x; x = 2; }       // another one
|*
|* step_begin(n) ... step_end(n) is the same where a block will not do.
|*
|* The checker must not notice any of it, or the order would be an edge: the
|* functions are not instrumented and use no synchronization that the runtime
|* intercepts. A test that never gets its turn ends with a message at last.
|*
\*===----------------------------------------------------------------------===*/
#ifndef ATSAN_TEST_H
#define ATSAN_TEST_H

#include <sanitizer/atsan_interface.h>

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Weak: the optimizer must not conclude anything from the bodies. */
#define ATSAN_TEST_HELPER __attribute__((weak, noinline)) ATSAN_NO_SANITIZE

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak)) int atsan_test_steps_done = 0;

int step_begin(int n);
int step_end(int n);
int steps_done(void);
void share(void *pointer);
void *shared(void);

/* Returns when all steps before n are done. */
ATSAN_TEST_HELPER int step_begin(int n) {
  const int kPatience = 60; /* Seconds. */
  time_t start = time(NULL);
  while (__atomic_load_n(&atsan_test_steps_done, __ATOMIC_ACQUIRE) != n - 1) {
    sched_yield();
    if (time(NULL) - start > kPatience) {
      fprintf(stderr, "atsan_test.h: step %d never had its turn, %d done\n", n,
              __atomic_load_n(&atsan_test_steps_done, __ATOMIC_ACQUIRE));
      _Exit(99);
    }
  }
  return 1;
}

ATSAN_TEST_HELPER int step_end(int n) {
  __atomic_store_n(&atsan_test_steps_done, n, __ATOMIC_RELEASE);
  return 0;
}

/* The number of the last step that is done. */
ATSAN_TEST_HELPER int steps_done(void) {
  return __atomic_load_n(&atsan_test_steps_done, __ATOMIC_ACQUIRE);
}

#ifdef _GNU_SOURCE /* As C++ has it. */
void await_main_asleep(void);

/* Returns when the main thread sleeps in the kernel. To be called after the
   last step of main() before it waits, in pthread_join for example. */
ATSAN_TEST_HELPER void await_main_asleep(void) {
  char path[64], text[256];
  snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
  for (;;) {
    /* Not by libc's functions, which the runtime may know. */
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
    long size = syscall(SYS_read, file, text, sizeof(text) - 1);
    syscall(SYS_close, file);
    text[size > 0 ? size : 0] = 0;
    const char *name_end = strrchr(text, ')'); /* "PID (NAME) STATE ..." */
    if (!name_end || name_end[2] == 'S')
      return;
    sched_yield();
  }
}

#endif

/* Hands a pointer to another thread, unseen like the steps. */
__attribute__((weak)) void *atsan_test_shared = NULL;

ATSAN_TEST_HELPER void share(void *pointer) {
  __atomic_store_n(&atsan_test_shared, pointer, __ATOMIC_RELEASE);
}

ATSAN_TEST_HELPER void *shared(void) {
  return __atomic_load_n(&atsan_test_shared, __ATOMIC_ACQUIRE);
}

/* One of two addresses; the optimizer may not know which. */
int *either(int first, int *a, int *b);
ATSAN_TEST_HELPER int *either(int first, int *a, int *b) {
  return first ? a : b;
}

#ifdef __cplusplus
}
#endif

/* Reads the value, and stores it nowhere. */
#define USE(value) __asm__ volatile("" : : "r"(value))

/* Ends a program that sees other results than it would without us. */
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                  \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

#define STEP(n)                                                                \
  for (int atsan_test_once = step_begin(n); atsan_test_once;                   \
       atsan_test_once = step_end(n))

#endif /* ATSAN_TEST_H */
