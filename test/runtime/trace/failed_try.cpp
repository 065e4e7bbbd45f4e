// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t try
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=PRINT %s
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=CHANGED %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t timed
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=PRINT %s
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=CHANGED %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t shared
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=SHARED %s
// RUN: %atsan predict --format=json %t.trace > %t.json
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: %python %atsan_source_dir/test/tools/report/Inputs/validate.py json %check_schema %t.json
// RUN: env ATSAN_OPTIONS=trace=%t.trace %silent %t held
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=SAME %s
// RUN: env ATSAN_OPTIONS=trace=%t.trace %exits 66 %t seen 2>&1 | FileCheck --check-prefix=SEEN %s
// RUN: %atsan predict %t.trace | FileCheck --check-prefix=SAME %s
// Intent: a trace says of a lock that it was asked for in vain, in a try or in
// time. A prediction in which it would be free says that the thread is taken to
// fail again; its twin, in which the lock is held as in the run, does not. Nor
// does one whose run is itself the order that is not serializable.
// PRINT: try-failed {{.*}}lock busy
// PRINT-NOT: try-failed
// SHARED: try-failed {{.*}}(shared)
// CHANGED: What forces it
// CHANGED: It takes for granted that these fail again, although nobody has the lock:
// CHANGED-NEXT: failed try for lock busy
// JSON: "changed_tries"
// SEEN: atomicity violation
// SAME: What forces it
// SAME-NOT: fail again
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <pthread.h>
#include <time.h>

static int x;
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t busy_rw = PTHREAD_RWLOCK_INITIALIZER;

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

int main(int argc, char **argv) {
  const bool shared = called_with(argc, argv, "shared");
  const bool timed = called_with(argc, argv, "timed");
  const bool seen = called_with(argc, argv, "seen");
  const bool held = called_with(argc, argv, "held");
  in_parallel(
      [=] {
        if (seen)
          return deposit_slowly();
        if (!held)
          deposit();
        STEP(1)
          shared ? pthread_rwlock_wrlock(&busy_rw) : pthread_mutex_lock(&busy);
        STEP(3) {
          if (held)
            deposit();
          shared ? pthread_rwlock_unlock(&busy_rw)
                 : pthread_mutex_unlock(&busy);
        }
      },
      [=] {
        const timespec past = {0, 0};
        STEP(2) {
          if (shared)
            pthread_rwlock_tryrdlock(&busy_rw);
          else if (timed)
            pthread_mutex_timedlock(&busy, &past);
          else
            pthread_mutex_trylock(&busy);
          x = 7;
        }
      });
}
