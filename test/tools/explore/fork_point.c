// RUN: %clang_atsan -O1 -fatomicity-schedule %s -o %t
// Intent: the child of a fork inherits a lock that another thread holds, and
// nobody gives it back there. Another thread may come first at the fork, so the
// search finds it, with any strategy of chance. Handlers that hold the lock
// meanwhile (twin) are correct.
// RUN: for s in random pct pos surw; do %exits 66 %atsan explore --strategy=$s --runs=500 --replays=3 --output=%t.out -- %t | FileCheck %s || exit 1; done
// RUN: for s in random pct pos surw; do %atsan explore --strategy=$s --runs=100 --output=%t.out -- %t twin | FileCheck --check-prefix=TWIN %s || exit 1; done
// CHECK: 1 crash, in schedule {{[0-9]+}} (replayed 3 of 3 times)
// CHECK-NEXT: failed assertion 'status == 0'
// TWIN: 100 schedules{{.*}}: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }

static void *add(void *unused) {
  lock();
  count++;
  unlock();
  return unused;
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    pthread_atfork(lock, unlock, unlock);
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  add(NULL);
  const pid_t child = fork();
  if (child == 0)
    _exit(pthread_mutex_trylock(&mutex) != 0);
  int status;
  waitpid(child, &status, 0);
  pthread_join(thread, NULL);
  assert(status == 0);
}
