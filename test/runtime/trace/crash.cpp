// RUN: %clangxx_atsan -O1 %s -o %t
// Intent: a program that is killed in the middle leaves a trace that is whole
// up to then: no damage, and locks are taken and given back in turns.
// RUN: rm -f %t.trace %t.std
// RUN: %exits 137 sh -c 'ATSAN_OPTIONS=trace=%t.trace exec %t'
// RUN: %atsan trace stats %t.trace > %t.stats
// RUN: FileCheck %s < %t.stats
// CHECK: 5 threads
// CHECK: {{[0-9][0-9][0-9][0-9][0-9]+}} acquire
// RUN: %atsan check --algorithm=locksets %t.trace
// RUN: %atsan trace convert %t.trace -o %t.std
// RUN: %atsan check --algorithm=locksets %t.std
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan_interface.h>

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int table[1000];
static int turns[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static bool allHadTurns() {
  for (int n : turns)
    if (n < 3000)
      return false;
  return true;
}

static void *work(void *mine) {
  for (int i = 0;; i++) {
    pthread_mutex_lock(&mutex);
    table[i % 1000] += ++*static_cast<int *>(mine);
    if (allHadTurns())
      kill(getpid(), SIGKILL);
    pthread_mutex_unlock(&mutex);
  }
}

int main() {
  pthread_t t;
  for (int &n : turns) pthread_create(&t, nullptr, work, &n);
  pause();
}
