// RUN: %clang -shared -fPIC -DLIBRARY %s -o %t.so -ldl
// RUN: %clang_atsan -O1 -I%inputs %s %t.so -o %t -lpthread
// Intent: a signal that comes before a new thread is known to us waits until it
// is, and no longer: whether the thread has its signal mask from its creator or
// from an attribute. (The library stands between us and libc.)
// RUN: %silent %t inherited
// RUN: %silent %t attribute
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

typedef void *(*function)(void *);
extern volatile sig_atomic_t handled;
extern int too_early;

#ifdef LIBRARY

#include <dlfcn.h>

volatile sig_atomic_t handled;
int too_early;
static function start;

static void *born(void *arg) {
  raise(SIGUSR1);
  too_early = handled;
  return start(arg);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
                   function routine, void *arg) {
  typedef int create(pthread_t *, const pthread_attr_t *, function, void *);
  start = routine;
  return ((create *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attr, born,
                                                        arg);
}

#else

#include "atsan_test.h"

static void handler(int number) {
  (void)number;
  handled = 1;
}

static void *new_thread(void *arg) {
  CHECK(!too_early);
  CHECK(handled);
  return arg;
}

int main(int argc, char **argv) {
  sigset_t usr1;
  pthread_attr_t attr;
  pthread_t thread;
  int by_attribute = !strcmp(argv[1], "attribute");
  (void)argc;
  signal(SIGUSR1, handler);
  sigemptyset(&usr1);
  pthread_attr_init(&attr);
  if (by_attribute) {
    CHECK(pthread_attr_setsigmask_np(&attr, &usr1) == 0);
    sigaddset(&usr1, SIGUSR1);
    CHECK(pthread_sigmask(SIG_BLOCK, &usr1, NULL) == 0);
  }
  CHECK(pthread_create(&thread, &attr, new_thread, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(pthread_attr_getsigmask_np(&attr, &usr1) ==
        (by_attribute ? 0 : PTHREAD_ATTR_NO_SIGMASK_NP));
  CHECK(!by_attribute || !sigismember(&usr1, SIGUSR1));
  return 0;
}

#endif
