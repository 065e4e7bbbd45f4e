// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: functions that use what libc and the kernel keep for all threads are
// steps whose orders are tried: files by their names and their bytes, the
// environment, handlers of signals, the rest of strtok. The twins lock a mutex
// around them.
// RUN: for o in -O0 -O2; do %clang_atsan $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for w in bytes name environment handler signal token; do %exits 66 %atsan explore --strategy=systematic --replays=2 -- ./test$o $w || exit 1; done; done > bugs
// RUN: FileCheck --input-file=bugs %s
// CHECK-COUNT-12: 1 failed test, in schedule {{[0-9]+}} (replayed 2 of 2 times)
// RUN: for o in -O0 -O2; do for w in bytes name environment handler signal token; do %atsan explore --strategy=systematic -- ./test$o $w locked || exit 1; done; done > twins
// RUN: FileCheck --check-prefix=TWINS --implicit-check-not='not complete' --input-file=twins %s
// TWINS-COUNT-12: all {{[0-9]+}} classes of schedules: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where nobody controls the threads, nothing may fail.
extern unsigned __atsan_scheduled;

static const char *how;
static int is(const char *word) { return !strcmp(how, word); }

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int isLocked, file, made, isWrong;

static void act(void) {
  if (is("bytes")) {
    char number;
    pread(file, &number, 1, 0);
    number++;
    pwrite(file, &number, 1, 0);
  } else if (is("name")) {
    if (access("made", F_OK)) {
      close(open("made", O_CREAT | O_WRONLY, 0600));
      __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST);
    }
  } else if (is("environment")) {
    if (!getenv("ATSAN_MADE")) {
      setenv("ATSAN_MADE", "1", 1);
      __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST);
    }
  } else if (is("handler")) {
    struct sigaction old, ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGUSR1, NULL, &old);
    if (old.sa_handler == SIG_DFL) {
      sigaction(SIGUSR1, &ignore, NULL);
      __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST);
    }
  } else if (is("signal")) {
    if (signal(SIGUSR1, SIG_IGN) == SIG_DFL)
      signal(SIGUSR1, SIG_DFL);
    else
      isWrong = 1;
  } else if (is("token")) {
    char own[] = "a b";
    strtok(own, " ");
    const char *second = strtok(NULL, " ");
    if (second != own + 2)
      isWrong = 1;
  }
}

static void *run(void *unused) {
  if (isLocked)
    pthread_mutex_lock(&mutex);
  act();
  if (isLocked)
    pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  how = argc > 1 ? argv[1] : "bytes";
  isLocked = argc > 2;
  file = open("bytes", O_CREAT | O_TRUNC | O_RDWR, 0600);
  pwrite(file, "", 1, 0);
  unlink("made");
  if (!__atsan_scheduled)
    return 0;
  pthread_create(&threads[0], NULL, run, NULL);
  pthread_create(&threads[1], NULL, run, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  if (is("bytes")) {
    char number;
    pread(file, &number, 1, 0);
    return number != 2;
  }
  return isWrong || made > 1;
}
