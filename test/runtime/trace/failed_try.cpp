// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t try
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=PRINT %s
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=CHANGED %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t timed
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=PRINT %s
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=CHANGED %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t semaphore
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=SEMAPHORE %s
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=OTHER %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t timed_semaphore
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=SEMAPHORE %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t two
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=SAME %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t condition
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=SAME %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t shared
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=SHARED %s
// RUN: %atsan predict --format=json %t.trace > %t.json
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: %python %atsan_source_dir/test/tools/report/Inputs/validate.py json %check_schema %t.json
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t held
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=SAME %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %exits 66 %t seen 2>&1 | FileCheck --check-prefix=SEEN %s
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=SAME %s
// Intent: a trace says of a lock or semaphore that it was asked for in vain, in
// a try or in time. A prediction in which it could be had says that the thread
// is taken to fail again. Its twin, in which the lock is held as in the run,
// does not, nor one in which nobody signals a condition while a thread waits
// for it, nor one whose run is itself the order that is not serializable.
// PRINT: try-failed {{.*}}lock busy
// PRINT-NOT: try-failed
// SHARED: try-failed {{.*}}(shared)
// CHANGED: What forces it
// CHANGED: It takes for granted that these fail again, although nothing is in their way:
// CHANGED-NEXT: failed try for lock busy
// SEMAPHORE: try-failed {{.*}}semaphore tokens
// SEMAPHORE-NOT: try-failed
// OTHER: fail again
// OTHER-NEXT: failed try for semaphore tokens
// JSON: "changed_tries"
// SEEN: atomicity violation
// SAME: What forces it
// SAME-NOT: fail again
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int x;
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t busy_rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t tokens;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static const char *mode;

static bool mode_is(const char *name) { return !strcmp(mode, name); }

static void deposit() {
  atsan::atomic_region region("deposit");
  x = x + 1;
}

static void deposit_slowly() {
  atsan::atomic_region region("deposit");
  const int was = x;
  STEP(1) pthread_mutex_lock(&busy);
  STEP(3) pthread_mutex_unlock(&busy);
  x = was + 1;
}

static bool asks_for_semaphore() {
  return mode_is("semaphore") || mode_is("timed_semaphore");
}

// Takes what the other thread asks for in vain, or gives it back.
static void hold(bool takes) {
  if (mode_is("shared"))
    takes ? pthread_rwlock_wrlock(&busy_rw) : pthread_rwlock_unlock(&busy_rw);
  else if (asks_for_semaphore())
    takes ? sem_wait(&tokens) : sem_post(&tokens);
  else if (!mode_is("condition") && !mode_is("two"))
    takes ? pthread_mutex_lock(&busy) : pthread_mutex_unlock(&busy);
}

static void ask_in_vain() {
  const timespec past = {0, 0};
  if (mode_is("shared")) {
    pthread_rwlock_tryrdlock(&busy_rw);
  } else if (mode_is("timed")) {
    pthread_mutex_timedlock(&busy, &past);
  } else if (mode_is("timed_semaphore")) {
    if (sem_timedwait(&tokens, &past) == 0 || errno != ETIMEDOUT)
      abort();
  } else if (mode_is("semaphore")) {
    if (sem_trywait(&tokens) == 0 || errno != EAGAIN)
      abort();
  } else if (mode_is("two")) {
    // Nobody posts: it fails wherever the thread comes to it.
    sem_trywait(&tokens);
    sem_trywait(&tokens);
  } else if (mode_is("condition")) {
    pthread_mutex_lock(&busy);
    pthread_cond_timedwait(&filled, &busy, &past);
    pthread_mutex_unlock(&busy);
  } else {
    pthread_mutex_trylock(&busy);
  }
}

int main(int argc, char **argv) {
  mode = argv[1];
  sem_init(&tokens, 0, 1);
  in_parallel(
      [] {
        if (mode_is("seen"))
          return deposit_slowly();
        const bool deposits_late = mode_is("held") || mode_is("condition");
        if (!deposits_late)
          deposit();
        STEP(1) hold(true);
        STEP(3) {
          if (mode_is("condition"))
            pthread_cond_signal(&filled);
          if (deposits_late)
            deposit();
          hold(false);
        }
      },
      [] {
        STEP(2) {
          ask_in_vain();
          x = 7;
        }
      });
}
