// RUN: %clang_atsan -O1 -I%inputs %s -o %t
// Intent: vfork, posix_spawn and exec work inside regions; the new program,
// also instrumented, begins from nothing.
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int x;

static int wait_for(pid_t pid) {
  int status;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
         WEXITSTATUS(status) == 5;
}

int main(int argc, char **argv) {
  char *again[] = {argv[0], "again", NULL};
  pid_t pid;
  int ok = 1;
  if (argc > 1) {
    __atomic_begin();
    x++;
    __atomic_end();
    return 5;
  }
  __atomic_begin();
  x++;
  pid = vfork();
  if (pid == 0) {
    execv(argv[0], again);
    _exit(1);
  }
  ok &= wait_for(pid);
  x++;
  if (posix_spawn(&pid, argv[0], NULL, NULL, again, environ))
    return 1;
  ok &= wait_for(pid);
  __atomic_end();
  return ok ? 0 : 1;
}
