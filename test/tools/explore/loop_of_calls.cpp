// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a loop that waits is seen to wait also where it comes to one place
// several times a round: by calls of one function with other objects, or with
// the same one, inlined or not. So a search is complete, and a thread that
// waits in vain is a deadlock.
// RUN: for o in -O0 -O2; do %clangxx_atsan $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for w in two sum peterson; do %atsan explore --strategy=systematic --timeout=30 -- ./test$o $w || exit 1; done; done > seen
// RUN: FileCheck --implicit-check-not='not complete' --input-file=seen %s
// CHECK-COUNT-6: all {{[0-9]+}} classes of schedules: nothing found
// RUN: for o in -O0 -O2; do %exits 66 %atsan explore --strategy=systematic --timeout=30 --replays=2 -- ./test$o pulse || exit 1; done > found
// RUN: FileCheck --check-prefix=FOUND --input-file=found %s
// FOUND-COUNT-2: 1 deadlock, in schedule {{[0-9]+}} (replayed 2 of 2 times)
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

// Where nobody controls the threads, none waits in vain.
extern "C" unsigned __atsan_scheduled;

static std::atomic<int> first, second, turn;
static int inside;

static void lockAs(int self) {
  std::atomic<int> &mine = self ? second : first;
  std::atomic<int> &other = self ? first : second;
  mine.store(1);
  turn.store(1 - self);
  while (other.load() && turn.load() == 1 - self) {
  }
  if (inside++)
    abort();
  inside--;
  mine.store(0);
}

static void wait(const char *how) {
  if (!strcmp(how, "sum"))
    while (first.load() + first.load() == 0) {
    }
  else if (!strcmp(how, "peterson"))
    lockAs(0);
  else if (strcmp(how, "pulse") || __atsan_scheduled)
    while (first.load() == 0 && second.load() == 0) {
    }
}

static void change(const char *how) {
  if (!strcmp(how, "peterson"))
    return lockAs(1);
  first.store(1);
  if (!strcmp(how, "pulse"))
    first.store(0);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "two";
  std::thread a(wait, how), b(change, how);
  a.join();
  b.join();
}
