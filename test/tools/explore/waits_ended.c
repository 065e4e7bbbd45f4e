// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a wait that libc ends, since the thread is cancelled, the holder of a
// robust mutex has ended, or a signal has come, is no deadlock; one that nobody
// ends is one.
// RUN: for o in -O0 -O2; do %clang_atsan $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for s in surw systematic; do for w in condition semaphore sleep join read robust signal early interrupted; do %atsan explore --strategy=$s --runs=5 --timeout=30 -- ./test$o $w || exit 1; done; done; done > twins
// RUN: FileCheck --check-prefix=TWINS --implicit-check-not='1 deadlock' --input-file=twins %s
// RUN: for o in -O0 -O2; do for s in surw systematic; do for w in condition semaphore join read robust; do %exits 66 %atsan explore --strategy=$s --replays=2 --timeout=30 -- ./test$o $w bug || exit 1; done; done; done > bugs
// RUN: FileCheck --input-file=bugs %s
// TWINS-COUNT-36: nothing found
// CHECK-COUNT-20: 1 deadlock, in schedule {{[0-9]+}} (replayed 2 of 2 times)
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// Where nobody controls the threads, each wait ends.
extern unsigned __atsan_scheduled;

static const char *how;
static int bug;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static atomic_int came;
static pthread_t victim, sleeper;
static int ends[2];

static void unlock(void *m) { pthread_mutex_unlock(m); }

static void *sleepLong(void *unused) {
  (void)unused;
  if (bug)
    sem_wait(&semaphore);
  else
    sleep(1);
  return NULL;
}

static void *wait(void *unused) {
  (void)unused;
  if (!strcmp(how, "condition")) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
      pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
  } else if (!strcmp(how, "semaphore")) {
    for (;;)
      sem_wait(&semaphore);
  } else if (!strcmp(how, "read")) {
    char c;
    while (read(ends[0], &c, 1) < 1)
      ;
  } else if (!strcmp(how, "sleep")) {
    for (;;)
      sleep(1000);
  }
  pthread_join(sleeper, NULL);
  return NULL;
}

static void *lockForEver(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  return NULL;
}

static void *lockAgain(void *unused) {
  (void)unused;
  // EOWNERDEAD, where the other one was first.
  if (pthread_mutex_lock(&mutex) != 0)
    pthread_mutex_consistent(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void post(int signal) {
  (void)signal;
  came = 1;
  sem_post(&semaphore);
}

static void *await(void *unused) {
  (void)unused;
  sem_wait(&semaphore);
  return NULL;
}

static void *look(void *unused) {
  (void)unused;
  return came ? &came : NULL;
}

// The kernel gives up a wait for which a signal has come.
static void *readOnce(void *unused) {
  (void)unused;
  char c;
  if (read(ends[0], &c, 1) < 0)
    came = 2;
  return NULL;
}

static void note(int signal) { (void)signal; }

static void runInterrupted(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = note;
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&victim, NULL, readOnce, NULL);
  while (!came) {
    pthread_kill(victim, SIGUSR1);
    usleep(1000);
  }
  pthread_join(victim, NULL);
}

static void runRobust(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (!bug)
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t other;
  pthread_create(&victim, NULL, lockForEver, NULL);
  pthread_create(&other, NULL, lockAgain, NULL);
  pthread_join(victim, NULL);
  pthread_join(other, NULL);
}

// The signal comes while the thread waits, or before it begins.
static void runSignal(void *(*body)(void *)) {
  signal(SIGUSR1, post);
  pthread_create(&victim, NULL, body, NULL);
  pthread_kill(victim, SIGUSR1);
  pthread_join(victim, NULL);
}

int main(int argc, char **argv) {
  how = argv[1];
  bug = argc > 2 && __atsan_scheduled;
  sem_init(&semaphore, 0, 0);
  if (pipe(ends) != 0)
    return 1;
  if (!strcmp(how, "interrupted")) {
    runInterrupted();
    return 0;
  }
  if (!strcmp(how, "robust")) {
    runRobust();
    return 0;
  }
  if (!strcmp(how, "signal") || !strcmp(how, "early")) {
    runSignal(!strcmp(how, "signal") ? await : look);
    return 0;
  }
  pthread_create(&sleeper, NULL, sleepLong, NULL);
  pthread_create(&victim, NULL, wait, NULL);
  void *result = PTHREAD_CANCELED;
  if (argc < 3 || !bug)
    pthread_cancel(victim);
  if (argc < 3 || bug)
    pthread_join(victim, &result);
  if (strcmp(how, "join"))
    return result != PTHREAD_CANCELED;
  return 0;
}
