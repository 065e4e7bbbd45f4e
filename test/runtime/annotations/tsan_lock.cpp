// RUN: %clangxx_atsan -fatomicity-tsan-annotations -O1 -I%inputs %s -o %t
// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t.untold
// Intent: a foreign lock, annotated where ThreadSanitizer is on, is a lock with
// one option of the compiler, and data without it. What it protects stays data.
// RUN: %silent %t held
// RUN: %exits 66 %t.untold held 2>&1 | FileCheck --check-prefix=UNTOLD %s
// RUN: %exits 66 %t early 2>&1 | FileCheck --check-prefix=EARLY %s
// UNTOLD: region 'victim'
// UNTOLD: SUMMARY: {{.*}}tsan_lock.cpp:{{.*}} in Lock::
// EARLY: region 'victim'
// EARLY: global 'x'
// EARLY: SUMMARY: {{.*}}tsan_lock.cpp:{{.*}} in add
//
// What a lock does to sleep and to wake others is its own business.
// RUN: %silent %t asleep
// RUN: %exits 66 %t.untold asleep 2>&1 | FileCheck --check-prefix=UNTOLD %s
//
// Flags say what lock_edges=1 makes edges of.
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t edges exclusive 2>&1 | FileCheck --check-prefix=EDGES %s
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t edges shared
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t edges failed
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t edges levels
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t edges all-levels 2>&1 | FileCheck --check-prefix=EDGES %s
// EDGES: region 'victim'
// EDGES: lock
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

#if __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#define ANNOTATE(call) __tsan_mutex_##call
#else
#define ANNOTATE(call) ((void)0)
#endif

class Lock {
public:
  Lock() { ANNOTATE(create(this, __tsan_mutex_not_static)); }
  ~Lock() { ANNOTATE(destroy(this, __tsan_mutex_not_static)); }

  bool try_lock() {
    ANNOTATE(pre_lock(this, __tsan_mutex_try_lock));
    bool taken = take();
    ANNOTATE(post_lock(
        this,
        __tsan_mutex_try_lock | (taken ? 0 : __tsan_mutex_try_lock_failed), 0));
    return taken;
  }
  void lock() {
    ANNOTATE(pre_lock(this, 0));
    while (!take());
    ANNOTATE(post_lock(this, 0, 0));
  }
  // Those that would sleep are counted elsewhere.
  void lock_or_sleep() {
    ANNOTATE(pre_lock(this, __tsan_mutex_try_lock));
    ANNOTATE(pre_divert(this, 0));
    sleepers_++;
    ANNOTATE(post_divert(this, 0));
    ANNOTATE(post_lock(
        this, __tsan_mutex_try_lock | __tsan_mutex_try_lock_failed, 0));
  }
  void unlock() {
    ANNOTATE(pre_unlock(this, 0));
    word_ = 0;
    ANNOTATE(post_unlock(this, 0));
  }
  void wake() {
    ANNOTATE(pre_signal(this, 0));
    ANNOTATE(pre_divert(this, 0));
    sleepers_ = 0;
    ANNOTATE(post_divert(this, 0));
    ANNOTATE(post_signal(this, 0));
  }

private:
  bool take() { return !word_.exchange(1); }

  std::atomic<int> word_{0};
  std::atomic<int> sleepers_{0};
};

static Lock lock;
static int x;

__attribute__((noinline)) static void add() { x++; }

// Another thread tries in vain while the region holds the lock.
static void held() {
  in_parallel(
      [] {
        atsan::atomic_region region("victim");
        STEP(1) {
          lock.lock();
          add();
        }
        STEP(3) {
          add();
          lock.unlock();
        }
      },
      [] {
        STEP(2) CHECK(!lock.try_lock());
        STEP(4) {
          lock.lock();
          add();
          lock.unlock();
        }
      });
}

static void locked_add() {
  lock.lock();
  add();
  lock.unlock();
}

// The region gives the lock back too early.
static void early() {
  in_parallel(
      [] {
        atsan::atomic_region region("victim");
        STEP(1) locked_add();
        STEP(3) locked_add();
      },
      [] {
        STEP(2) locked_add();
      });
}

// The region sleeps twice, and is woken in between.
static void asleep() {
  in_parallel(
      [] {
        atsan::atomic_region region("victim");
        STEP(1) lock.lock_or_sleep();
        STEP(3) lock.lock_or_sleep();
      },
      [] {
        STEP(2) lock.wake();
      });
}

#if __has_feature(thread_sanitizer)
static void lock_as(unsigned flags, int levels = 0) {
  __tsan_mutex_pre_lock(&lock, flags);
  __tsan_mutex_post_lock(&lock, flags, levels);
}

static void unlock_as(unsigned flags, int levels = 1) {
  CHECK(__tsan_mutex_pre_unlock(&lock, flags) == levels);
  __tsan_mutex_post_unlock(&lock, flags);
}

// One use of the lock, which is never given back in between where that is said.
static void use(int argc, char **argv, bool begins, bool ends) {
  if (called_with(argc, argv, "shared")) {
    lock_as(__tsan_mutex_read_lock);
    unlock_as(__tsan_mutex_read_lock);
  } else if (called_with(argc, argv, "failed")) {
    lock_as(__tsan_mutex_try_lock | __tsan_mutex_try_lock_failed);
  } else if (called_with(argc, argv, "levels")) {
    if (begins)
      lock_as(__tsan_mutex_recursive_lock, 2);
    lock_as(0);
    unlock_as(0);
    if (ends)
      unlock_as(__tsan_mutex_recursive_unlock, 2);
  } else if (called_with(argc, argv, "all-levels")) {
    lock_as(__tsan_mutex_recursive_lock, 3);
    unlock_as(__tsan_mutex_recursive_unlock, 3);
  } else {
    lock_as(0);
    unlock_as(0);
  }
}

static void edges(int argc, char **argv) {
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) use(argc, argv, true, false);
        STEP(3) use(argc, argv, false, true);
      },
      [=] {
        STEP(2) {
          if (!called_with(argc, argv, "levels"))
            use(argc, argv, true, true);
        }
      });
}
#else
static void edges(int, char **) {}
#endif

int main(int argc, char **argv) {
  if (called_with(argc, argv, "held"))
    held();
  if (called_with(argc, argv, "early"))
    early();
  if (called_with(argc, argv, "asleep"))
    asleep();
  if (called_with(argc, argv, "edges"))
    edges(argc, argv);
}
