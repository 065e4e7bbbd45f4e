// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: threads that wait for each other in loops are a deadlock, which is
// found as soon as nothing can end it, and told by what they read. The twins
// end: their order is right, or by a signal, a clock, a count, code without
// points or another process, while a loop goes round and finds nothing new.
// RUN: for o in -O0 -O2; do %clangxx_atsan $o -g -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for s in surw systematic; do for w in locks lost mixed; do %exits 66 %atsan explore --strategy=$s --seconds=20 --replays=2 --timeout=30 -- ./test$o $w bug || exit 1; done; done; done > bugs
// RUN: for w in LOCKS LOST MIXED; do FileCheck --check-prefix=$w --implicit-check-not="time out" --input-file=bugs %s || exit 1; done
// RUN: for o in -O0 -O2; do for s in surw systematic; do for w in locks lost mixed signal clock count opted-out process; do %atsan explore --strategy=$s --runs=4 --timeout=30 -- ./test$o $w || exit 1; done; done; done > twins
// RUN: FileCheck --check-prefix=TWINS --input-file=twins %s
// A loop that is not sure to go round for ever is given up by its length.
// RUN: env ATSAN_OPTIONS=schedule_strategy=surw:schedule_points=500 %exits 66 ./test-O2 count 2>&1 | FileCheck --check-prefix=LONG %s
// LONG: ERROR: AtomicitySanitizer: the schedule has 501 points, and no more are allowed
// LOCKS-COUNT-4: goes round a loop, at {{.*}}, until somebody changes 0x{{[0-9a-f]+}} (global '{{first|second}}'); thread 0.2 goes round a loop, {{.*}} (global '{{first|second}}')
// LOST-COUNT-4: thread 0.1 goes round a loop, at {{.*}}, until somebody changes 0x{{[0-9a-f]+}} (global 'flag'){{$}}
// MIXED-COUNT-4: waits in pthread_mutex_lock for the lock 0x{{[0-9a-f]+}} (global 'mutex'), which thread 0.1 holds
// TWINS-COUNT-32: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <csignal>
#include <ctime>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <string>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using Flag = std::atomic<bool>;

// Where nobody controls the threads, they do not wait for each other.
extern "C" unsigned __atsan_scheduled;

static bool bug;
static Flag first, second, flag, started;
static std::mutex mutex;
static int number;

static void take(Flag &lock) {
  while (lock.exchange(true))
    ;
}

static void locks(Flag &a, Flag &b) {
  take(a);
  take(b);
  number++;
  b = false;
  a = false;
}

static void await(Flag &what) {
  while (!what)
    ;
}

static void tell() {
  if (!bug)
    await(started);
  if (started)
    flag = true;
}

static void tellUnderLock() {
  if (!bug)
    flag = true;
  std::lock_guard<std::mutex> guard(mutex);
  flag = true;
}

static void awaitUnderLock() {
  std::lock_guard<std::mutex> guard(mutex);
  await(flag);
}

static void awaitSignal() {
  signal(SIGALRM, [](int) { flag = true; });
  const itimerval soon = {{}, {0, 100000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  await(flag);
}

static void awaitTime() {
  const time_t end = time(nullptr) + 1;
  while (!flag && time(nullptr) < end)
    ;
}

static void count() {
  for (int i = 0; i < 1000 && !flag; i++)
    ;
}

ATSAN_NO_SANITIZE static bool isTired() {
  static int asked;
  return ++asked > 1000;
}

static void awaitProcess() {
  const int all = PROT_READ | PROT_WRITE;
  auto *shared = static_cast<Flag *>(
      mmap(nullptr, 4096, all, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  const pid_t child = fork();
  if (child == 0) {
    usleep(100000);
    *shared = true;
    _exit(0);
  }
  await(*shared);
  waitpid(child, nullptr, 0);
}

static void runFirst(const std::string &how) {
  if (how == "locks")
    locks(first, second);
  else if (how == "lost") {
    started = true;
    await(flag);
  } else if (how == "mixed")
    awaitUnderLock();
  else if (how == "signal")
    awaitSignal();
  else if (how == "clock")
    awaitTime();
  else if (how == "count")
    count();
  else if (how == "process")
    awaitProcess();
  else
    while (!flag && !isTired())
      ;
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  bug = argc > 2 && __atsan_scheduled;
  std::thread a([&] { runFirst(how); });
  std::thread b([&] {
    if (how == "locks")
      bug ? locks(second, first) : locks(first, second);
    else if (how == "lost")
      tell();
    else if (how == "mixed")
      tellUnderLock();
  });
  a.join();
  b.join();
}
