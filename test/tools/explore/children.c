// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang_atsan -fatomicity-schedule %s -o test
// Intent: a program that has started another process may depend on what that
// one does, in whatever way it was started: no search of it says that all
// schedules were looked at. The twin starts none.
// RUN: for w in fork vfork system popen spawn spawnp; do %atsan explore --strategy=systematic --timeout=30 -- ./test $w || exit 1; done > seen
// RUN: FileCheck --implicit-check-not='all {{[0-9]+}} classes' --input-file=seen %s
// CHECK-COUNT-6: the search is not complete: a process or a thread took part
// RUN: %atsan explore --strategy=systematic --timeout=30 -- ./test none | FileCheck --check-prefix=TWIN %s
// TWIN: all 2 classes
// Nor is a wait a deadlock that the other process ends.
// RUN: %atsan explore --strategy=surw --runs=2 --timeout=30 -- ./test futex | FileCheck --check-prefix=FUTEX %s
// FUTEX: 2 schedules{{.*}}: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <linux/futex.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int word;

static void *add(void *unused) {
  (void)unused;
  __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
  return NULL;
}

// The child comes late, when all threads of this process wait.
static int *shared;
static void *awaitChild(void *unused) {
  (void)unused;
  while (!__atomic_load_n(shared, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, shared, FUTEX_WAIT, 0, NULL, NULL, 0);
  return NULL;
}
static int waitOnFutex(void) {
  shared = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fork() == 0) {
    usleep(500000);
    __atomic_store_n(shared, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, shared, FUTEX_WAKE, 1, NULL, NULL, 0);
    _exit(0);
  }
  pthread_t waits;
  pthread_create(&waits, NULL, awaitChild, NULL);
  pthread_join(waits, NULL);
  return wait(NULL) < 0;
}

static void startChild(const char *how) {
  char *const arguments[] = {(char *)"true", NULL};
  pid_t child = 0;
  if (!strcmp(how, "fork")) {
    if (!(child = fork()))
      _exit(0);
  } else if (!strcmp(how, "vfork")) {
    if (!(child = vfork()))
      _exit(0);
  } else if (!strcmp(how, "system")) {
    if (system("true"))
      abort();
  } else if (!strcmp(how, "popen")) {
    FILE *pipe = popen("true", "r");
    if (!pipe || pclose(pipe))
      abort();
  } else if (!strcmp(how, "spawn")) {
    // Nobody waits for these: to wait for a process would say that there is
    // one.
    if (posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ))
      abort();
    child = 0;
  } else if (!strcmp(how, "spawnp")) {
    if (posix_spawnp(&child, "true", NULL, NULL, arguments, environ))
      abort();
    child = 0;
  }
  if (child)
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "futex") == 0)
    return waitOnFutex();
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  if (argc > 1)
    startChild(argv[1]);
  add(NULL);
  pthread_join(thread, NULL);
  return 0;
}
