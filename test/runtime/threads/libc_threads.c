// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: threads that libc itself starts, of which nobody tells us (those of
// timers, and of asynchronous input and output), run the program's functions:
// these may have regions, and are checked.
// RUN: for i in timer aio; do \
// RUN:   %exits 66 %t $i bad 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i || exit 1; done
// CHECK: region 'callback'
// CHECK: SUMMARY: {{.*}}libc_threads.c:{{.*}} in callback
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <aio.h>
#include <signal.h>

static int x;

static void callback(union sigval value) {
  (void)value;
  __atsan_region_begin("callback");
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_region_end();
  STEP(4) {
  }
}

static int start_timer(struct sigevent *event) {
  struct itimerspec soon = {{0, 0}, {0, 1}};
  timer_t timer;
  return timer_create(CLOCK_MONOTONIC, event, &timer) ||
         timer_settime(timer, 0, &soon, NULL);
}

static int start_aio(struct sigevent *event) {
  static struct aiocb request;
  static char letter = 'x';
  request.aio_fildes = fileno(tmpfile());
  request.aio_buf = &letter;
  request.aio_nbytes = 1;
  request.aio_sigevent = *event;
  return aio_write(&request);
}

int main(int argc, char **argv) {
  struct sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = callback;
  if (!strcmp(argv[1], "timer") ? start_timer(&event) : start_aio(&event))
    return 1;
  STEP(2) {
    if (argc > 2)
      x = 1;
  }
  step_begin(5);
  return 0;
}
