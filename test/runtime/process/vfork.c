// RUN: %clang -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %clang_atsan -O0 -I%inputs %s %t.so -o %t.0
// RUN: %clang_atsan -O2 -I%inputs %s %t.so -o %t.2
// RUN: %clang_atsan -O2 -shared-libsan -Wl,-rpath,%atsan_lib -I%inputs %s %t.so -o %t.shared
// Intent: a child of vfork has the memory of its parent, and nothing that it
// does counts: neither accesses nor marks, signal actions or its end; also if
// a library calls vfork, a child has a child, or a parent gets a signal. What
// the parent does counts as if there was no child (twins: violations).
//
// RUN: for t in %t.0 %t.2 %t.shared; do \
// RUN:   for how in access mark end exec library nested faults memory signals; do \
// RUN:     %silent $t $how || exit 1; \
// RUN:     %exits 66 $t $how twin 2>&1 | FileCheck %s || exit 1; \
// RUN:   done; \
// RUN:   env ATSAN_OPTIONS=print_stats=1 %run $t stats 2>&1 | FileCheck --check-prefix=STATS %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=halt_on_error=0 %exits 66 $t after 2>&1 | FileCheck --check-prefix=AFTER %s || exit 1; \
// RUN:   %silent $t threads || exit 1; \
// RUN: done
// CHECK: Region 'parent' of the main thread is not atomic: T1 came in between
// STATS-NOT: Stats
// STATS: child has ended
// STATS: Stats: AtomicitySanitizer: checked 4 regions
// AFTER: Region 'parent'
// AFTER: child: 0
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY

int run_child(void (*function)(void)) {
  int status;
  pid_t pid = vfork();
  if (pid == 0) {
    function();
    _exit(7);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
                 WEXITSTATUS(status) == 7
             ? 0
             : 1;
}

#else

#include "atsan_test.h"

#include <pthread.h>
#include <signal.h>

int run_child(void (*function)(void));

static int x, y;
static void *block;
static volatile sig_atomic_t signals;

// Inlined nowhere: its frame must not be the one in which vfork returns twice.
#define IN_CHILD __attribute__((noinline)) static void

IN_CHILD touch(void) { y = x++; }

IN_CHILD begin(void) {
  __atomic_begin();
  __atomic_begin();
  touch();
}

IN_CHILD end(void) { __atomic_end(); }

IN_CHILD end_twice(void) {
  end();
  end();
}

IN_CHILD change(void) { block = realloc(block, 100000); }

static void handle(int signal) { signals += signal == SIGUSR1 ? 1 : 100; }
static void handle_in_child(int signal) {
  if (signal == SIGUSR1)
    signals += 10;
}

IN_CHILD set_actions(void) {
  CHECK(signal(SIGUSR1, handle_in_child) == handle);
  CHECK(signal(SIGUSR1, handle_in_child) == handle_in_child);
  raise(SIGUSR1);
  CHECK(signals == 10);
  signal(SIGUSR1, SIG_DFL);
  kill(getppid(), SIGUSR1); // Which is not told before it goes on.
}

static int status_of(pid_t pid) {
  int status;
  CHECK(waitpid(pid, &status, 0) == pid);
  return status;
}

static void exits_with(int code, pid_t pid) {
  int status = status_of(pid);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

// The child calls the function, and ends.
static void in_child(void (*function)(void)) {
  pid_t pid = vfork();
  if (pid == 0) {
    function();
    _exit(3);
  }
  exits_with(3, pid);
}

static void becomes_another(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    begin();
    execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
    _exit(1);
  }
  exits_with(5, pid);
}

static void has_child(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    pid_t inner = vfork();
    if (inner == 0) {
      begin();
      _exit(4);
    }
    exits_with(4, inner);
    begin();
    _exit(3);
  }
  exits_with(3, pid);
}

static void dies(void) {
  int status;
  pid_t pid = vfork();
  if (pid == 0) {
    begin();
    *(volatile int *)16 = 1;
    _exit(1);
  }
  status = status_of(pid);
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void allocates(void) {
  block = malloc(100);
  in_child(change);
  free(block);
}

static void signal_actions(void) {
  signal(SIGUSR1, handle);
  in_child(set_actions);
  CHECK(signals == 11);
}

// Returns with `pid` as it was, whatever other threads and children do.
static void *many(void *argument) {
  for (int i = 0; i < 100; i++) {
    const int code = (i + *(int *)argument) % 100;
    pid_t pid = vfork();
    if (pid == 0) {
      if (i % 2)
        begin();
      _exit(code);
    }
    exits_with(code, pid);
  }
  return NULL;
}

static void in_threads(void) {
  pthread_t threads[3];
  int numbers[3] = {1, 2, 3};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, many, &numbers[i]);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

static void nothing(void) {}

static void run(const char *how) {
  if (!strcmp(how, "access"))
    in_child(touch);
  else if (!strcmp(how, "mark"))
    in_child(begin);
  else if (!strcmp(how, "end"))
    in_child(end_twice);
  else if (!strcmp(how, "exec"))
    becomes_another();
  else if (!strcmp(how, "library"))
    CHECK(run_child(begin) == 0 && run_child(end) == 0);
  else if (!strcmp(how, "nested"))
    has_child();
  else if (!strcmp(how, "faults"))
    dies();
  else if (!strcmp(how, "memory"))
    allocates();
  else if (!strcmp(how, "signals"))
    signal_actions();
  else if (!strcmp(how, "threads"))
    in_threads();
  else
    CHECK(run_child(nothing) == 0);
}

static void *other(void *region) {
  if (!region) {
    STEP(2) x++;
    return NULL;
  }
  // The child's accesses come in between, and are none.
  __atsan_region_begin("of another thread");
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_region_end();
  return NULL;
}

// Reads x, and later again. With a region, or if one is left from a child, that
// is a violation.
static void look_twice(int region) {
  if (region)
    __atsan_region_begin("parent");
  STEP(1) USE(x);
  STEP(3) USE(x);
  if (region)
    __atsan_region_end();
}

static void in_parallel_with(void *region, void (*function)(int),
                             int argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, region);
  function(argument);
  pthread_join(thread, NULL);
}

static void run_in_between(int unused) {
  (void)unused;
  STEP(2) in_child(touch);
}

// The child comes into an open region, which it does not end.
static void look_around(int unused) {
  (void)unused;
  __atsan_region_begin("parent");
  STEP(1) USE(x);
  CHECK(run_child(end) == 0);
  STEP(3) USE(x);
  __atsan_region_end();
}

int main(int argc, char **argv) {
  const char *how = argv[1];
  const int twin = argc > 2;
  if (!strcmp(how, "stats")) {
    for (int i = 0; i < 4; i++) {
      __atomic_begin();
      x++;
      __atomic_end();
      if (i == 2)
        run("mark");
    }
    fprintf(stderr, "child has ended\n");
    return 0;
  }
  if (!strcmp(how, "access") && !twin) {
    in_parallel_with(&x, run_in_between, 0);
    return 0;
  }
  if (!strcmp(how, "end") && twin) {
    in_parallel_with(NULL, look_around, 0);
    return 0;
  }
  if (!strcmp(how, "after")) {
    in_parallel_with(NULL, look_twice, 1);
    fprintf(stderr, "child: %d\n", run_child(nothing));
    return 0;
  }
  run(how);
  in_parallel_with(NULL, look_twice, twin);
  return 0;
}

#endif
