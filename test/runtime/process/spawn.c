// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: inside a region, and with another thread in the checker all the time,
// every way to make a process works as without the sanitizer; what the child
// finds counts as the child's exit code.
// RUN: %exits 0 %t 2>&1 | FileCheck --allow-empty --implicit-check-not=Sanitizer %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char large[1 << 16];
static volatile int done;

static void *busy(void *arg) {
  (void)arg;
  while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
    __atsan_region_begin("busy");
    memset(large, 1, sizeof(large));
    __atsan_region_end();
  }
  return NULL;
}

static int code_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *shell[] = {(char *)"sh", (char *)"-c", (char *)"exit 7", NULL};

static pid_t by_spawn(void) {
  pid_t child = -1;
  posix_spawnp(&child, "sh", NULL, NULL, shell, environ);
  return child;
}

static pid_t by_vfork(void) {
  pid_t child = vfork();
  if (!child) {
    execvp("sh", shell);
    _exit(1);
  }
  return child;
}

static pid_t by_fork(void) {
  pid_t child = fork();
  if (!child) {
    execvp("sh", shell);
    _exit(1);
  }
  return child;
}

// The child goes on in the region, and in the checker.
static pid_t by_fork_alone(void) {
  pid_t child = fork();
  if (!child) {
    memset(large, 2, sizeof(large));
    __atsan_region_end();
    __atsan_region_begin("child");
    exit(7);
  }
  return child;
}

int main(void) {
  pthread_t other;
  int i;
  FILE *pipe;
  pthread_create(&other, NULL, busy, NULL);
  __atsan_region_begin("parent");
  for (i = 0; i < 20; i++) {
    CHECK(code_of(by_spawn()) == 7);
    CHECK(code_of(by_vfork()) == 7);
    CHECK(code_of(by_fork()) == 7);
    CHECK(code_of(by_fork_alone()) == 7);
    CHECK(WEXITSTATUS(system("exit 7")) == 7);
    pipe = popen("exit 7", "r");
    CHECK(pipe && WEXITSTATUS(pclose(pipe)) == 7);
  }
  __atsan_region_end();
  __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
  pthread_join(other, NULL);
  return 0;
}
