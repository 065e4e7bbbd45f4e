//===-- absl_locks.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program whose lock is absl::Mutex. With the argument `one-lock`, each
// withdrawal is one critical section, for which it has to wait: it is atomic.
// Without, it gives the lock back between its look and its act.
//
//===----------------------------------------------------------------------===//

#include "turns.h"

#include <sanitizer/atsan.hpp>

#include "absl/synchronization/mutex.h"

#include <cstdio>
#include <cstring>
#include <thread>

namespace {

absl::Mutex Lock;
int Balance = 1;

bool look() { return Balance > 0; }
void act() { --Balance; }

bool lockedLook() {
  absl::MutexLock L(&Lock);
  return look();
}

void lockedAct() {
  absl::MutexLock L(&Lock);
  act();
}

// The second thread comes when the lock is taken, sleeps until it is given
// back, and finds nothing left.
void firstOfOneLock() {
  waitForStep(0);
  atsan::atomic_region Region("withdrawal");
  absl::MutexLock L(&Lock);
  stepDone();
  waitForSleeper();
  if (look())
    act();
}

void secondOfOneLock() {
  waitForStep(1);
  atsan::atomic_region Region("withdrawal");
  goingToSleep();
  absl::MutexLock L(&Lock);
  if (look())
    act();
}

// The second thread comes after the first one's look.
void firstOfTwoLocks() {
  waitForStep(0);
  atsan::atomic_region Region("withdrawal");
  if (!lockedLook())
    return;
  stepDone();
  waitForStep(2);
  lockedAct();
}

void secondOfTwoLocks() {
  waitForStep(1);
  {
    atsan::atomic_region Region("withdrawal");
    if (lockedLook())
      lockedAct();
  }
  stepDone();
}

} // namespace

int main(int Argc, char **Argv) {
  const bool OneLock = Argc > 1 && !strcmp(Argv[1], "one-lock");
  std::thread A(OneLock ? firstOfOneLock : firstOfTwoLocks);
  std::thread B(OneLock ? secondOfOneLock : secondOfTwoLocks);
  A.join();
  B.join();
  printf("balance %d\n", Balance);
}
