// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what a failed compare-exchange of another thread has closed at a fork
// is the parent's: it may still be given up there, and the child, whose history
// begins at the fork, says nothing of it.
// RUN: %silent %t restart
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// CHECK: the child's exit code: 0
// CHECK: region 'add'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <sys/wait.h>
#include <unistd.h>

static std::atomic<int> counter;

static void add(bool restart) {
  atsan::atomic_region region("add");
  int seen;
  STEP(1) seen = counter.load();
  step_begin(3);
  bool done = counter.compare_exchange_strong(seen, seen + 1);
  step_end(3);
  step_begin(5);
  CHECK(!done);
  if (restart)
    __atomic_restart();
  counter++;
  step_end(5);
}

static void fork_meanwhile(bool is_told) {
  STEP(2) counter++;
  STEP(4) {
    pid_t child = fork();
    if (!child)
      exit(0);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    if (is_told)
      fprintf(stderr, "the child's exit code: %d\n", WEXITSTATUS(status));
    else
      CHECK(WEXITSTATUS(status) == 0);
  }
}

int main(int argc, char **argv) {
  bool restart = called_with(argc, argv, "restart");
  in_parallel([=] { add(restart); }, [=] { fork_meanwhile(!restart); });
}
