// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: what libc says about signal actions is what the program has set, and
// one-shot actions, masks, queued values and errno are as without the
// sanitizer, also while a region keeps the checker busy.
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

static char large[1 << 20];
static int word;
static volatile sig_atomic_t plain, expected, wrong;

static void on_plain(int number) {
  (void)number;
  errno = EDOM;
  plain++;
}

static void on_value(int number, siginfo_t *info, void *context) {
  (void)context;
  if (number != SIGRTMIN || info->si_code != SI_QUEUE ||
      info->si_value.sival_int != expected || info->si_pid != getpid())
    wrong++;
  expected++;
}

static void actions(void) {
  struct sigaction action, old;
  memset(&action, 0, sizeof(action));
  CHECK(signal(SIGUSR1, on_plain) == SIG_DFL);
  CHECK(signal(SIGUSR1, SIG_IGN) == on_plain);
  CHECK(signal(SIGUSR1, on_plain) == SIG_IGN);
  CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == on_plain);
  CHECK(old.sa_flags & SA_RESTART);
  action.sa_sigaction = on_value;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaddset(&action.sa_mask, SIGUSR2);
  CHECK(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == on_plain);
  CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_sigaction == on_value);
  CHECK((old.sa_flags & (SA_SIGINFO | SA_NODEFER)) ==
        (SA_SIGINFO | SA_NODEFER));
  CHECK(sigismember(&old.sa_mask, SIGUSR2) == 1);
  CHECK(sysv_signal(SIGUSR1, on_plain) == (sighandler_t)on_value);
  raise(SIGUSR1);
  CHECK(plain == 1 && signal(SIGUSR1, SIG_DFL) == SIG_DFL);
  errno = 0;
  CHECK(sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL);
  CHECK(sigaction(1000, &action, NULL) == -1 && errno == EINVAL);
}

// Whether the signals come in the runtime or not cannot be known; that they
// come while it works can.
static void while_busy(void) {
  struct sigaction action;
  union sigval value;
  int i;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = on_value;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGRTMIN, &action, NULL);
  for (i = 0; i < 1000; i++) {
    value.sival_int = i;
    CHECK(sigqueue(getpid(), SIGRTMIN, value) == 0);
    memset(large, i, sizeof(large) >> (i % 16));
  }
  CHECK(expected == 1000 && wrong == 0);
}

// The timer's signal most often interrupts the runtime.
static void one_shot(void) {
  timer_t timer;
  struct sigevent event;
  struct itimerspec soon = {{0, 0}, {0, 100000}};
  int i;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  for (i = 0; i < 50; i++) {
    int before = plain;
    CHECK(sysv_signal(SIGUSR1, on_plain) == SIG_DFL);
    errno = ERANGE;
    CHECK(timer_settime(timer, 0, &soon, NULL) == 0);
    while (plain == before) {
      memset(large, i, sizeof(large));
      for (int j = 0; j < 1000; j++)
        __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED);
    }
    CHECK(errno == EDOM);
    CHECK(signal(SIGUSR1, SIG_DFL) == SIG_DFL);
  }
}

int main(void) {
  actions();
  __atsan_region_begin("busy");
  while_busy();
  one_shot();
  __atsan_region_end();
  return 0;
}
