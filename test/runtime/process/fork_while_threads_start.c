// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// RUN: %silent %t
// Intent: a process that forks while another thread starts threads with an
// attribute that masks signals has children that can start such threads.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static pthread_attr_t attr;
static atomic_int done;

static void *nothing(void *arg) { return arg; }

static void start_one(void) {
  pthread_t thread;
  if (pthread_create(&thread, &attr, nothing, 0) != 0)
    _Exit(1);
  pthread_join(thread, 0);
}

static void *start_many(void *arg) {
  while (!done) start_one();
  return arg;
}

int main(void) {
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  pthread_attr_init(&attr);
  pthread_attr_setsigmask_np(&attr, &some);

  alarm(60); // Where a child waits for a lock that nobody gives back.
  pthread_t starter;
  pthread_create(&starter, 0, start_many, 0);
  for (int i = 0; i < 300; i++) {
    pid_t child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      start_one();
      _Exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) {
      fprintf(stderr, "child %d: status %d\n", i, status);
      return 1;
    }
  }
  done = 1;
  pthread_join(starter, 0);
}
