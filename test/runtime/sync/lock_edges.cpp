// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: by default locks are not data. With lock_edges=1 a release comes
// before the next acquire, which is a violation where a region gives a lock up
// and takes it again, and only there. What is a violation without the edges is
// one with them.
//
// RUN: for i in mutex recursive rwlock read-write spin semaphore; do \
// RUN:   %silent %t $i || exit 1; \
// RUN:   env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=lock_edges=1 %silent %t $i good || exit 1; done
//
// Shared holders do not order each other.
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t read-read
//
// RUN: %exits 66 %t data 2>&1 | FileCheck --check-prefix=DATA %s
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t data 2>&1 | FileCheck %s
//
// The order of locks alone orders the accesses of two threads: no violation by
// default, one with the edges, with data in the cycle.
// RUN: %silent %t mixed
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t mixed 2>&1 | FileCheck --check-prefix=MIXED %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>
#include <pthread.h>
#include <semaphore.h>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'victim'
// CHECK: lock
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
// DATA: ERROR: AtomicitySanitizer: atomicity violation
// DATA: global 'x'
// DATA: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}lock_edges.cpp:
// MIXED: region 'victim'
// MIXED: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}lock_edges.cpp:

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
std::recursive_mutex recursive;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
sem_t semaphore;
int x, y;

// The victim holds the lock twice, and the other thread once, in between or
// after.
template <class Mine, class Theirs>
static void run(bool good, Mine mine, Theirs theirs) {
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) mine();
        STEP(good ? 2 : 3) mine();
      },
      [=] {
        STEP(good ? 3 : 2) theirs();
      });
}

template <class Both> static void run(bool good, Both both) {
  run(good, both, both);
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&semaphore, 0, 1);
  auto by_mutex = [] {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  };
  auto read_lock = [] {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
  };
  auto write_lock = [] {
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
  };
  if (is("mutex"))
    run(good, by_mutex);
  if (is("recursive"))
    run(good, [] {
      std::lock_guard<std::recursive_mutex> one(recursive), two(recursive);
    });
  if (is("rwlock"))
    run(good, write_lock);
  if (is("read-write"))
    run(good, read_lock, write_lock);
  if (is("read-read"))
    run(good, read_lock);
  if (is("spin"))
    run(good, [] {
      pthread_spin_lock(&spin);
      pthread_spin_unlock(&spin);
    });
  if (is("semaphore"))
    run(good, [] {
      sem_wait(&semaphore);
      sem_post(&semaphore);
    });
  if (is("data"))
    run(
        good,
        [] {
          std::lock_guard<std::recursive_mutex> guard(recursive);
          USE(x);
        },
        [] {
          std::lock_guard<std::recursive_mutex> guard(recursive);
          x = 1;
        });
  // victim: w x, unlock -> other: lock; w y -> victim: r y.
  if (is("mixed"))
    in_parallel(
        [] {
          atsan::atomic_region region("victim");
          STEP(1) {
            pthread_mutex_lock(&mutex);
            x = 1;
            pthread_mutex_unlock(&mutex);
          }
          STEP(3) USE(y);
        },
        [] {
          STEP(2) {
            pthread_mutex_lock(&mutex);
            y = 1;
            pthread_mutex_unlock(&mutex);
          }
        });
}
